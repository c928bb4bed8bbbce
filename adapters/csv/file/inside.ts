import path from 'node:path'

/** Whether a path is the root or below it. */
export function isBelow(root: string, file: string, system: path.PlatformPath = path): boolean {
  const way = system.relative(root, file)
  return way !== '..' && !way.startsWith(`..${system.sep}`) && !system.isAbsolute(way)
}

/** Whether an account can be a folder below a root, on any system: `north`, `north/2026` or `north\2026`. */
export const isFolderName = (account: string): boolean =>
  account !== '' &&
  !account.includes('\0') &&
  !/^[A-Za-z]:/.test(account) &&
  !path.win32.isAbsolute(account) &&
  !account.split(/[\\/]/).includes('..')
