// Compiling the model takes most of a start of the service, and its result is the same for each start on the same sources:
// the first one stores it in a folder (start-run.ts), and the others read it from there.
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import cds from '@sap/cds'

interface Model {
  definitions: Record<string, { $location?: unknown }>
  $sources?: string[]
  meta?: object
  _4odata?: Model
}

type Options = Record<string, unknown> | undefined

/** The steps of CAP's compiler that a start takes; each gives the same for the same input. */
interface Steps {
  to: {
    csn(files: unknown, options: Options, flavor?: string): Model | Promise<Model>
    sql: { delta(model: Model, options: Options, before?: unknown): unknown }
  }
  for: { odata(model: Model, options: Options): Model }
}

/** Differ by test file, and the compiler does not read them. */
const UNREAD = ['credentials', 'messages', 'pool', 'port']

const readOptions = (options: Options) =>
  Object.fromEntries(Object.entries(options ?? {}).filter(([name]) => !UNREAD.includes(name)))

export function shareModel(folder: string) {
  const steps = cds.compile as unknown as Steps
  const { csn } = steps.to
  const { delta } = steps.to.sql
  const { odata } = steps.for

  // The steps read these settings besides their options.
  const settings = JSON.stringify(
    ['cdsc', 'features', 'fiori', 'odata', 'sql'].map((name) => (cds.env as Options)![name]),
  )

  const fileOf = (...input: unknown[]) => {
    const key = createHash('sha1').update(settings).update(JSON.stringify(input)).digest('hex')
    return path.join(folder, `${key}.json`)
  }

  steps.to.csn = (files, options, flavor) => {
    if (!Array.isArray(files) || options?.sync) return csn(files, options, flavor)
    const file = fileOf('csn', files, readOptions(options), flavor)
    return existsSync(file)
      ? Promise.resolve(readModel(file))
      : Promise.resolve(csn(files, options, flavor)).then((model) => {
          storeModel(file, model)
          return readModel(file)
        })
  }

  steps.for.odata = (model, options) => {
    if (model._4odata) return model._4odata
    const file = fileOf('odata', model, readOptions(options))
    if (!existsSync(file)) {
      const { $sources } = model
      storeModel(file, Object.assign(odata({ ...model }, options), { $sources }))
    }
    const result = readModel(file)
    for (const each of [model, result]) Object.defineProperty(each, '_4odata', { value: result })
    return result
  }

  steps.to.sql.delta = (model, options, before) => {
    const file = fileOf('delta', model, readOptions(options), before)
    if (!existsSync(file)) store(file, delta(model, options, before))
    return read(file)
  }
}

/** Other workers see all of a file or nothing. */
function store(file: string, content: unknown) {
  const unfinished = `${file}.${randomUUID()}`
  writeFileSync(unfinished, JSON.stringify(content))
  renameSync(unfinished, file)
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

/** What the compiler hides from JSON and CAP reads: the sources, how the model was made, and where things are defined. */
interface Hidden {
  $sources: string[] | undefined
  meta: PropertyDescriptorMap
  locations: Record<string, unknown>
}

function storeModel(file: string, { $sources, meta = {}, ...model }: Model) {
  const locations = Object.fromEntries(
    Object.entries(model.definitions).map(([name, { $location }]) => [name, $location]),
  )
  const hidden: Hidden = { $sources, meta: Object.getOwnPropertyDescriptors(meta), locations }
  store(file, { model, hidden })
}

function readModel(file: string): Model {
  const { model, hidden } = read(file) as { model: Model; hidden: Hidden }
  for (const [name, $location] of Object.entries(hidden.locations))
    hide(model.definitions[name]!, { $location })
  hide(model, { $sources: hidden.$sources })
  return Object.assign(model, { meta: Object.defineProperties({}, hidden.meta) })
}

function hide(object: object, properties: object) {
  for (const [name, value] of Object.entries(properties)) {
    Object.defineProperty(object, name, { value, writable: true, configurable: true })
  }
}
