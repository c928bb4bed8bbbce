import { glob, rm } from 'node:fs/promises'
import path from 'node:path'

/** Half of a build is for debugging it: unminified twins, source maps and test pages. */
export async function dropSources(folder: string) {
  await rm(path.join(folder, 'test-resources'), { recursive: true, force: true })
  const patterns = ['**/*-dbg.js', '**/*-dbg.*.js', '**/*.map']
  for await (const file of glob(patterns, { cwd: folder })) await rm(path.join(folder, file))
}
