// Labelled images in memory. Must not know where they came from or what tasks are made of them.

export interface Images {
  readonly count: number;
  /** Pixels of one image, all channels. */
  readonly dimension: number;
  /** Image after image. */
  readonly pixels: Uint8Array;
  /** The class number of each image. */
  readonly labels: Uint8Array;
}

const placesOfImages = new WeakMap<Images, readonly Uint32Array[]>();

/** For each of `classes` classes, the numbers of its images. */
export function placesByClass(images: Images, classes: number): readonly Uint32Array[] {
  const known = placesOfImages.get(images);
  if (known?.length === classes) return known;
  const places = Array.from({ length: classes }, (): number[] => []);
  images.labels.forEach((label, place) => {
    places[label]?.push(place);
  });
  const lists = places.map((list) => Uint32Array.from(list));
  placesOfImages.set(images, lists);
  return lists;
}

/** How many images of each class there are. */
export function classCounts(images: Images, classes: number): number[] {
  return placesByClass(images, classes).map(({ length }) => length);
}
