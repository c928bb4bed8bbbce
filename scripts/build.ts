// Builds what production runs: gen/srv (JavaScript, starts from its own folder), gen/db (HANA artifacts), and the
// typed client, gen/client.
// `--no-ui5` leaves out the UI5 libraries, which take a minute or two.
// CAP's own TypeScript build task does not register under cds 10 and would ship the sources as they are.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { billOfMaterials } from './sbom.ts'
import { buildInto } from './ui5/build.ts'

const root = path.resolve(import.meta.dirname, '..')
const out = path.join(root, 'gen/srv')
/** A program of the packages, by its file: the names that npm gives them need a shell on Windows. */
const run = (file: string, ...args: string[]) =>
  execFileSync(process.execPath, [path.join(root, 'node_modules', file), ...args], {
    cwd: root,
    stdio: 'inherit',
  })

rmSync(path.join(root, 'gen'), { recursive: true, force: true })
run('@sap/cds-dk/bin/cds.js', 'build', '--production')
for (const file of globSync('**/*.ts', { cwd: out })) rmSync(path.join(out, file))
const development = ['test', 'bench', 'sandbox', 'scripts', 'docs']
for (const file of ['eslint.config.js', 'jest.config.js', ...development]) {
  rmSync(path.join(out, file), { recursive: true, force: true })
}
run(
  '@cap-js/cds-typer/lib/cli.js',
  '*',
  '--outputDirectory',
  '@cds-models',
  '--output_d_ts_files',
  'true',
)
execFileSync(process.execPath, ['client/build.ts'], { cwd: root, stdio: 'inherit' })
run('typescript/bin/tsc', '-p', 'tsconfig.build.json')
cpSync(path.join(root, 'bin'), path.join(out, 'bin'), { recursive: true })
cpSync(path.join(root, 'data/source'), path.join(out, 'data/source'), { recursive: true })
cpSync(path.join(root, 'app'), path.join(out, 'app'), { recursive: true })
// The model is in csn.json: its sources would be compiled once more, without those of srv.
for (const file of globSync('app/**/*.{cds,d.ts}', { cwd: out })) rmSync(path.join(out, file))
for (const file of globSync('adapters/**/texts.json', { cwd: root })) {
  cpSync(path.join(root, file), path.join(out, file))
}
cpSync(path.join(root, '_i18n'), path.join(out, '_i18n'), { recursive: true })
// The code lists, for `npm run deploy`.
cpSync(path.join(root, 'db/data'), path.join(out, 'db/data'), { recursive: true })
if (!process.argv.includes('--no-ui5')) await putLibraries()
writeFileSync(path.join(out, 'package.json'), runtimePackage())
writeFileSync(path.join(out, 'sbom.json'), billOfMaterials(root))

/** Copies the built UI5 libraries; builds them first if there are none. */
async function putLibraries() {
  const [built, folder] = [path.join(root, '.restock/ui5'), path.join(out, 'ui5')]
  if (existsSync(path.join(built, 'resources'))) cpSync(built, folder, { recursive: true })
  else await buildInto(folder, (line) => process.stderr.write(`${line}\n`))
}

/** package.json as production needs it: without the scripts and dependencies of development. */
function runtimePackage() {
  const text = readFileSync(path.join(root, 'package.json'), 'utf8')
  const { devDependencies, scripts, allowScripts, exports, ...runtime } = JSON.parse(text) as {
    [name: string]: unknown
    scripts: { start: string }
  }
  const { start } = scripts
  const own = {
    scripts: {
      start: start.replaceAll('start.ts', 'start.js'),
      deploy: 'node srv/base/start/deploy.js',
    },
    engines: { node: '>=22.12' },
  }
  return `${JSON.stringify({ ...runtime, ...own }, null, 2)}\n`
}
