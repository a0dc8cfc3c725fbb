// The library's part that needs Node: what `import ... from 'evozero/data'` gives.

export type { OpenedTasks } from '../tasks/open-tasks.js';
export { type CsvOptions, readCsv } from './csv.js';
export { cacheDirectory, dataDirectories } from './directories.js';
export { DownloadError } from './download-error.js';
export { type FetchOptions, type FetchProgress, fetchDataset } from './fetch-dataset.js';
export type { DataPlaces } from './image-part.js';
export { type OpenOptions, openTasks, type TableRequest, type TaskRequest } from './open-tasks.js';
