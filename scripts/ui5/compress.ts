// Beside each larger text of a build stand its compressed twins: packed once, not for each visitor.
import { glob, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const LEAST_BYTES = 1024
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

export async function compress(folder: string) {
  for await (const file of glob('**/*.{js,css,json}', { cwd: folder })) {
    const place = path.join(folder, file)
    const content = await readFile(place)
    if (content.length < LEAST_BYTES) continue
    await writeFile(`${place}.br`, await toBrotli(content, quality))
    await writeFile(`${place}.gz`, await toGzip(content))
  }
}
