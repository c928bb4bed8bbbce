// The laws of the house that imports alone do not tell (docs/architecture.md): `node scripts/laws.ts` names what breaks them.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import console from 'node:console'

const MOST_FILES = 20
const SMALL_LINES = 40

/** Small files with one importer or none, and why they stand by themselves. */
const REASONS: Record<string, string> = {
  'srv/base/log/guard.ts': 'imported first, for its effect',
  'srv/base/odata/odata-faults.ts': 'reaches into CAP, a file each',
  'srv/base/start/deploy.ts': 'a program',
  'srv/base/start/first-process.ts': 'imported first, for its effect',
  'srv/base/start/garbage-collector.ts': 'one step of a start, a file each',
  'srv/base/start/greeting.ts': 'one step of a start, a file each',
  'srv/base/start/serve.ts': 'a program',
  'srv/base/start/start.ts': 'a program',
  'srv/base/start/typescript.ts': 'imported first, for its effect',
  'srv/doors/demo/write-demo.ts': 'a program',
  'srv/doors/identity/use-openid.ts': 'runs before what the door imports',
  'srv/doors/tasks/task-workers.ts': 'the door to its workers',
}

const root = path.resolve(import.meta.dirname, '..')
const names = execFileSync('git', ['ls-files', 'srv'], { cwd: root, encoding: 'utf8' }).split('\n')
const files = names
  .filter(Boolean)
  .map((name) => ({ name, text: readFileSync(path.join(root, name), 'utf8') }))
const code = files.filter(({ name }) => name.endsWith('.ts'))

/** A folder that holds more than a reader looks over is more than one room. */
function crowdedFolders() {
  const folders = Map.groupBy(files, ({ name }) => path.posix.dirname(name))
  return [...folders].flatMap(([folder, { length }]) =>
    length > MOST_FILES ? [`${folder}: ${length} files, ${MOST_FILES} at most`] : [],
  )
}

/** Below the doors nobody calls a service by its name: no tool would see the arrow. */
const servicesByName = () =>
  code.flatMap(({ name, text }) =>
    /^srv\/(doors|base\/upgrade)\/|^srv\/server\.ts$/.test(name)
      ? []
      : [...text.matchAll(/(?<!from )'\w+Service'/g)].map(([call]) => `${name}: ${call}`),
  )

/** What one file alone uses stands in that file, unless it is too large for it. */
function smallRooms() {
  const importers = new Map<string, number>()
  for (const { name, text } of code) {
    for (const [, specifier] of text.matchAll(/from '(\.[^']+)'|import\('(\.[^']+)'\)/g)) {
      if (!specifier) continue
      const target = path.posix.join(path.posix.dirname(name), specifier)
      importers.set(target, (importers.get(target) ?? 0) + 1)
    }
  }
  return code.flatMap(({ name, text }) => {
    const lines = text.split('\n').length - 1
    const count = importers.get(name) ?? 0
    if (lines >= SMALL_LINES || count > 1 || REASONS[name]) return []
    return [`${name}: ${lines} lines for ${count === 1 ? 'one importer' : 'nobody'}`]
  })
}

/** The walks of docs/architecture.md lead through files that are there, none twice, each imported by one before it. */
function brokenWalks() {
  const text = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8')
  const walks = [...text.matchAll(/### A walk: (.+)\n([\s\S]*?)(?=\n#|$)/g)]
  return walks.flatMap(([, title, body]) => {
    const stops = [...body!.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, stop]) => stop!)
    const faults = stops
      .filter((stop, at) => stops.indexOf(stop) !== at)
      .map((stop) => `${stop} twice`)
    for (const [at, stop] of stops.entries()) {
      const here = code.find(({ name }) => name === stop)
      if (!here) faults.push(`${stop} is not there`)
      else if (at && !stops.slice(0, at).some((before) => imports(before, stop)))
        faults.push(`no stop before imports ${stop}`)
    }
    return faults.map((fault) => `docs/architecture.md, ${title}: ${fault}`)
  })
}

function imports(from: string, to: string) {
  const text = code.find(({ name }) => name === from)?.text ?? ''
  const relative = path.posix.relative(path.posix.dirname(from), to)
  return text.includes(`'${relative.startsWith('.') ? relative : `./${relative}`}'`)
}

const broken = [crowdedFolders(), servicesByName(), smallRooms(), brokenWalks()].flat()
for (const each of broken) console.error(each)
if (broken.length) process.exitCode = 1
