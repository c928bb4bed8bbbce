// What of UI5 the apps use. Its CLI would build twice as many libraries, each in themes and bundles that no page asks for.
import { createRequire } from 'node:module'

/** What pages choose from: app/shell/before.js. */
const THEMES = '{sap_horizon,sap_horizon_dark,sap_horizon_hcb,sap_horizon_hcw}'

// The packages of the CLI bring no types.
interface Resolver {
  named?: string[]
  install(names: string[]): Promise<unknown>
  getLibraryMetadata(name: string): Promise<{ dependencies: string[] }>
}
interface Bundle {
  name: string
  sections: { mode: string; filters: string[] }[]
}
interface Options {
  inputPattern?: string
  bundleDefinition?: Bundle
  omitSourceMapResources?: boolean
}
type Task = (given: { options: Options }) => Promise<unknown>
interface Tasks {
  getTask(name: string): Promise<{ task: Task }>
}
interface Graph {
  setTaskRepository(tasks: Tasks): void
  build(options: unknown): Promise<unknown>
}

const cli = createRequire(createRequire(import.meta.url).resolve('@ui5/cli/package.json'))
const import_ = (name: string) => import(cli.resolve(name))

/** Before the CLI runs in this process: it takes no library that app/ui5.yaml does not name, and builds no more than is used. */
export async function onlyWhatIsUsed() {
  const { default: resolver } = (await import_('@ui5/project/ui5Framework/Sapui5Resolver')) as {
    default: { prototype: Resolver }
  }
  takeNamed(resolver.prototype)
  const { default: graph } = (await import_('@ui5/project/graph/ProjectGraph')) as {
    default: { prototype: Graph }
  }
  const build = graph.prototype.build
  const tasks = (await import_('@ui5/builder/internal/taskRepository')) as Tasks
  graph.prototype.build = function (options) {
    this.setTaskRepository({ ...tasks, getTask: (name) => lesserTask(tasks, name) })
    return build.call(this, options)
  }
}

function takeNamed(resolver: Resolver) {
  const { install, getLibraryMetadata } = resolver
  resolver.install = function (names) {
    this.named = names
    return install.call(this, names)
  }
  resolver.getLibraryMetadata = async function (name) {
    const metadata = await getLibraryMetadata.call(this, name)
    const dependencies = metadata.dependencies.filter((each) => this.named!.includes(each))
    return { ...metadata, dependencies }
  }
}

/** A task of the CLI with less to do. */
async function lesserTask(tasks: Tasks, name: string): Promise<{ task: Task }> {
  const { task } = await tasks.getTask(name)
  const lessen = LESSER[name]
  if (!lessen) return { task }
  return {
    async task(given) {
      const options = lessen(given.options)
      if (options) await task({ ...given, options })
    },
  }
}

const LESSER: Record<string, (options: Options) => Options | null> = {
  minify: (options) => ({ ...options, omitSourceMapResources: true }),
  buildThemes: (options) => ({
    ...options,
    inputPattern: options.inputPattern!.replace('/themes/*/', `/themes/${THEMES}/`),
  }),
  generateBundle: (options) => {
    const { name, sections } = options.bundleDefinition!
    if (name === 'sap-ui-core.js') return options
    if (!name.includes('/library-preload')) return null
    return { ...options, bundleDefinition: { name, sections: sections.map(ofItsOwn(name)) } }
  },
}

/** Those of sap.fe.templates and sap.fe.core hold other libraries too, which have their own. */
const ofItsOwn = (bundle: string) => (section: Bundle['sections'][number]) => {
  const own = bundle.replace(/library-preload.*/, '')
  const isOthers = (filter: string) => filter.startsWith('sap/fe/') && !filter.startsWith(own)
  return { ...section, filters: section.filters.filter((filter) => !isOthers(filter)) }
}
