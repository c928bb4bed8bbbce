// Beside each larger text of a build stand its compressed twins: packed once, not for each visitor.
import { glob, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const LEAST_BYTES = 1024
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

async function pack(place: string) {
  const content = await readFile(place)
  if (content.length < LEAST_BYTES) return
  const [brotli, gzipped] = await Promise.all([toBrotli(content, quality), toGzip(content)])
  await writeFile(`${place}.br`, brotli)
  await writeFile(`${place}.gz`, gzipped)
}

export async function compress(folder: string) {
  const files: string[] = []
  for await (const file of glob('**/*.{js,css,json}', { cwd: folder })) files.push(file)
  const packNext = async () => {
    for (let file = files.pop(); file; file = files.pop()) await pack(path.join(folder, file))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, packNext))
}
