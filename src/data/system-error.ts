// What errors of the operating system mean, in words. Must not know what was tried.

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it cannot be written to',
  EISDIR: 'is a directory',
  ENOTDIR: 'is not a directory',
  EEXIST: 'is there already, and is not what it should be',
  ENOSPC: 'no space left',
  EDQUOT: 'no space left for this user',
  EFBIG: 'the file would become too large',
  EMFILE: 'too many open files',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
};

export function describeSystemError(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  return WORDS[code] ?? (error instanceof Error ? error.message : String(error));
}

/** Whether an error says that there is nothing of that name. */
export function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Whether an error comes from the operating system, rather than from a mistake in the code. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';
}
