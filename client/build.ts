// node client/build.ts [folder]: the client as a package of JavaScript with types, in gen/client.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const out = path.resolve(process.argv[2] ?? path.join(root, 'gen/client'))
const run = (file: string, ...args: string[]) =>
  execFileSync(process.execPath, [path.join(root, file), ...args], { cwd: root, stdio: 'inherit' })

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
run('client/generate.ts')
run('node_modules/typescript/bin/tsc', '-p', 'client/tsconfig.json', '--outDir', out)
for (const file of ['client/generated.d.ts', 'client/README.md', 'LICENSE']) {
  cpSync(path.join(root, file), path.join(out, path.basename(file)))
}
writeFileSync(path.join(out, 'package.json'), `${JSON.stringify(packageOf(), null, 2)}\n`)

function packageOf() {
  const text = readFileSync(path.join(root, 'package.json'), 'utf8')
  const { version, license } = JSON.parse(text) as { version: string; license: string }
  return {
    name: 'restock-client',
    version,
    description: 'A typed client of the Restock API',
    license,
    type: 'module',
    exports: { types: './index.d.ts', default: './index.js' },
    engines: { node: '>=20.3' },
  }
}
