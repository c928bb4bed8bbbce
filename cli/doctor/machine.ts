// What can be seen on this machine, without the service.
import { accessSync, constants, existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { failed, type Finding, ok, warning } from './finding.ts'

/** Oldest version of Node that the service runs on. */
const NODE = 20
/** Free bytes below which a sync of a larger company may fill the disk. */
const LITTLE = 2e9

export async function lookAtMachine(folder = process.cwd()): Promise<Finding[]> {
  return [nodeVersion(), ...(await disk(folder)), ...state(path.join(folder, '.restock'))]
}

function nodeVersion(): Finding {
  const { version } = process
  return Number(version.slice(1).split('.')[0]) < NODE
    ? failed('Node', version, `Install Node ${NODE} or later.`)
    : ok('Node', version)
}

async function disk(folder: string): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const message = `${(free / 1e9).toFixed(1)} GB free at ${folder}`
  if (free >= LITTLE) return [ok('Disk', message)]
  return [warning('Disk', message, 'Free some space before the next full sync.')]
}

/** The folder of a development server: its database and demo key. */
function state(folder: string): Finding[] {
  if (!existsSync(folder)) return []
  try {
    accessSync(folder, constants.W_OK)
    return [ok('State', `${folder} can be written`)]
  } catch {
    const cure = `Give this user the right to write to ${folder}, or start the server as its owner.`
    return [failed('State', `${folder} cannot be written`, cure)]
  }
}
