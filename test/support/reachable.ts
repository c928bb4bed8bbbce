import { statSync } from 'node:fs'
import path from 'node:path'

const OTHERS_MAY_ENTER = 0o001

/**
 * PostgreSQL refuses to run as root: for root it runs as another user, who must get to its programs.
 * @throws Error that names the folder in the way, such as a container's /root
 */
export function assertReachableByOthers(file: string): void {
  let folder = path.dirname(path.resolve(file))
  for (;;) {
    if (!(statSync(folder).mode & OTHERS_MAY_ENTER)) {
      throw new Error(
        `PostgreSQL does not run as root, and the user that it runs as may not enter ${folder}: ` +
          `move the checkout elsewhere, run the tests as another user, or "chmod o+x ${folder}".`,
      )
    }
    const parent = path.dirname(folder)
    if (parent === folder) return
    folder = parent
  }
}
