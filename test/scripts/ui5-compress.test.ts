import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { compress } from '../../scripts/ui5/compress.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'restock-compress-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('writes compressed copies of files that are worth it', async () => {
  const text = 'sap.ui.define()\n'.repeat(500)
  await writeFile(path.join(folder, 'library.js'), text)
  await writeFile(path.join(folder, 'small.json'), '{}')
  await writeFile(path.join(folder, 'icon.woff2'), text)
  await compress(folder)
  expect((await readdir(folder)).sort()).toEqual([
    ...['icon.woff2', 'library.js', 'library.js.br', 'library.js.gz', 'small.json'],
  ])
  const twin = (end: string) => readFile(path.join(folder, `library.js.${end}`))
  expect(brotliDecompressSync(await twin('br')).toString()).toBe(text)
  expect(gunzipSync(await twin('gz')).toString()).toBe(text)
})
