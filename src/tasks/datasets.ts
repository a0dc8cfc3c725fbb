// The data sets of the paper, as they are published: names, shapes, files, checksums, addresses, licences. One row each; nothing else
// lists them. Must not know where files lie or how they are fetched.

/** The images of a data set are published in two parts. */
export const PARTS = ['train', 'test'] as const;
export type Part = (typeof PARTS)[number];

export interface DataFile {
  /** Without .gz: a file may lie there plain or gzipped. */
  readonly name: string;
  /** SHA-256 of the uncompressed content; undefined for a subset that nobody publishes. */
  readonly sha256?: string;
}

/** What is read together: a batch of records, a pair of IDX files, a MATLAB file. */
export interface DataBatch {
  readonly format: 'records' | 'idx' | 'matlab';
  /** Of 'idx': images, then labels. */
  readonly files: readonly DataFile[];
}

/** A file to download. */
export interface Download {
  /** The published address first, then mirrors. */
  readonly urls: readonly string[];
  readonly bytes: number;
  /** Of the file as it is sent. */
  readonly sha256: string;
  /** An archive to take the data set's files from, rather than one of them. */
  readonly archive?: true;
}

export interface Edition {
  /** How this differs from the published one. */
  readonly note?: string;
  readonly batches: Readonly<Record<Part, readonly DataBatch[]>>;
  readonly images?: Readonly<Record<Part, number>>;
}

/** What is known about a data set. */
export interface Dataset {
  readonly title: string;
  readonly page: string;
  readonly licence: string;
  readonly classes: readonly string[];
  /** One image is `channels` planes of `height` rows of `width` pixels. */
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** Folders below the data directory where its files may lie; `data get` uses the first. */
  readonly folders: readonly string[];
  /** The published one first. */
  readonly editions: readonly Edition[];
  readonly downloads: readonly Download[];
}

const DIGITS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];

interface IdxFile extends DataFile {
  readonly bytes: number;
  readonly compressed: string;
}

function idxDataset(
  bases: readonly string[],
  [trainImages, trainLabels, testImages, testLabels]: readonly [IdxFile, IdxFile, IdxFile, IdxFile],
): Pick<Dataset, 'editions' | 'downloads'> {
  const batch = (...files: DataFile[]): DataBatch => ({ format: 'idx', files });
  const download = ({ name, bytes, compressed }: IdxFile): Download => ({
    urls: bases.map((base) => `${base}${name}.gz`),
    bytes,
    sha256: compressed,
  });
  return {
    editions: [
      {
        batches: { train: [batch(trainImages, trainLabels)], test: [batch(testImages, testLabels)] },
        images: { train: 60_000, test: 10_000 },
      },
    ],
    downloads: [trainImages, trainLabels, testImages, testLabels].map(download),
  };
}

const records = (name: string, sha256?: string): DataBatch => ({
  format: 'records',
  files: [sha256 === undefined ? { name } : { name, sha256 }],
});

const SVHN_BASE = 'http://ufldl.stanford.edu/housenumbers/';

const SVHN_FILES = {
  train: { name: 'train_32x32.mat', sha256: '435e94d69a87fde4fd4d7f3dd208dfc32cb6ae8af2240d066de1df7508d083b8' },
  test: { name: 'test_32x32.mat', sha256: 'cdce80dfb2a2c4c6160906d0bd7c68ec5a99d7ca4831afa54f09182025b6a75b' },
};

/** The data sets that evozero knows, by name. */
export const DATASETS = {
  cifar10: {
    title: 'CIFAR-10',
    page: 'https://www.cs.toronto.edu/~kriz/cifar.html',
    licence: 'no licence stated; cite Krizhevsky 2009',
    classes: ['airplane', 'automobile', 'bird', 'cat', 'deer', 'dog', 'frog', 'horse', 'ship', 'truck'],
    width: 32,
    height: 32,
    channels: 3,
    folders: ['cifar10', 'cifar-10-batches-bin'],
    editions: [
      {
        images: { train: 50_000, test: 10_000 },
        batches: {
          train: [
            records('data_batch_1.bin', 'cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5'),
            records('data_batch_2.bin', 'a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed'),
            records('data_batch_3.bin', 'bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67'),
            records('data_batch_4.bin', '014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48'),
            records('data_batch_5.bin', '755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add'),
          ],
          test: [records('test_batch.bin', '8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b')],
        },
      },
    ],
    downloads: [
      {
        urls: ['https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz'],
        bytes: 170_052_171,
        sha256: 'c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd',
        archive: true,
      },
    ],
  },
  mnist: {
    title: 'MNIST',
    page: 'http://yann.lecun.com/exdb/mnist/',
    licence: 'CC BY-SA 3.0; cite LeCun et al. 1998',
    classes: DIGITS,
    width: 28,
    height: 28,
    channels: 1,
    folders: ['mnist', 'MNIST/raw'],
    ...idxDataset(
      [
        'http://yann.lecun.com/exdb/mnist/',
        'https://ossci-datasets.s3.amazonaws.com/mnist/',
        'https://storage.googleapis.com/cvdf-datasets/mnist/',
      ],
      [
        {
          name: 'train-images-idx3-ubyte',
          sha256: 'ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db',
          bytes: 9_912_422,
          compressed: '440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609',
        },
        {
          name: 'train-labels-idx1-ubyte',
          sha256: '65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5',
          bytes: 28_881,
          compressed: '3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c',
        },
        {
          name: 't10k-images-idx3-ubyte',
          sha256: '0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7',
          bytes: 1_648_877,
          compressed: '8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6',
        },
        {
          name: 't10k-labels-idx1-ubyte',
          sha256: 'ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2',
          bytes: 4_542,
          compressed: 'f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6',
        },
      ],
    ),
  },
  'fashion-mnist': {
    title: 'Fashion-MNIST',
    page: 'https://github.com/zalandoresearch/fashion-mnist',
    licence: 'MIT; cite Xiao, Rasul and Vollgraf 2017',
    classes: ['T-shirt/top', 'Trouser', 'Pullover', 'Dress', 'Coat', 'Sandal', 'Shirt', 'Sneaker', 'Bag', 'Ankle boot'],
    width: 28,
    height: 28,
    channels: 1,
    folders: ['fashion-mnist', 'FashionMNIST/raw'],
    ...idxDataset(
      [
        'http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/',
        'https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/',
      ],
      [
        {
          name: 'train-images-idx3-ubyte',
          sha256: 'c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888',
          bytes: 26_421_880,
          compressed: '3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84',
        },
        {
          name: 'train-labels-idx1-ubyte',
          sha256: 'bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9',
          bytes: 29_515,
          compressed: 'a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845',
        },
        {
          name: 't10k-images-idx3-ubyte',
          sha256: '5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b',
          bytes: 4_422_102,
          compressed: '346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073',
        },
        {
          name: 't10k-labels-idx1-ubyte',
          sha256: '0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34',
          bytes: 5_148,
          compressed: '67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5',
        },
      ],
    ),
  },
  svhn: {
    title: 'SVHN, cropped digits',
    page: SVHN_BASE,
    licence: 'non-commercial use; cite Netzer et al. 2011',
    classes: DIGITS,
    width: 32,
    height: 32,
    channels: 3,
    folders: ['svhn'],
    editions: [
      {
        images: { train: 73_257, test: 26_032 },
        batches: {
          train: [{ format: 'matlab', files: [SVHN_FILES.train] }],
          test: [{ format: 'matlab', files: [SVHN_FILES.test] }],
        },
      },
      {
        note: 'a subset in CIFAR-10 records, not the published files',
        batches: { train: [records('svhn_small_train.bin')], test: [records('svhn_small_test.bin')] },
      },
    ],
    downloads: [
      { urls: [`${SVHN_BASE}${SVHN_FILES.train.name}`], bytes: 182_040_794, sha256: SVHN_FILES.train.sha256 },
      { urls: [`${SVHN_BASE}${SVHN_FILES.test.name}`], bytes: 64_275_384, sha256: SVHN_FILES.test.sha256 },
    ],
  },
} as const satisfies Record<string, Dataset>;

/** The name of a data set. */
export type DatasetName = keyof typeof DATASETS;

export function datasetNames(): DatasetName[] {
  return Object.keys(DATASETS) as DatasetName[];
}
