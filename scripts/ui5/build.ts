import { fork } from 'node:child_process'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { compress } from './compress.ts'
import { dropSources } from './drop-sources.ts'
import { intoOneFile } from './one-file.ts'

/** Fetches and builds the libraries into a folder, which appears whole or not at all. */
export async function buildInto(folder: string, tell: (line: string) => void) {
  const draft = `${folder}.draft-${process.pid}`
  // A process of its own: the CLI ends the one that it runs in.
  const child = fork(path.join(import.meta.dirname, 'main.ts'), ['--into', draft], {
    execArgv: [],
    silent: true,
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  let last = ''
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk) => {
      const lines = String(chunk).split('\n').filter(Boolean)
      last = lines.at(-1) ?? last
      lines.forEach(tell)
    })
  }
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  try {
    if (code !== 0) throw new Error(`UI5 was not built: ${last}`)
    await dropSources(draft)
    intoOneFile(path.join(draft, 'resources'))
    await compress(path.join(draft, 'resources'))
    await rm(folder, { recursive: true, force: true })
    await rename(draft, folder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
