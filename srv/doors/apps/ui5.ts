// Where UI5 comes from. Nothing is fetched before somebody opens an app.
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import cds from '@sap/cds'
import { settings } from '../../base/settings/config.ts'

type State =
  /** Built: fast. */
  | { is: 'built' }
  /** Unbundled, by a development server at this port: slow at the first view. */
  | { is: 'unbuilt'; port: number }
  | { is: 'fetching'; line: string }
  | { is: 'missing'; why: string }

let server: ChildProcess | undefined
let state: State = { is: 'missing', why: '' }
let isBuilding = false
let failedAt = 0

const RETRY_MS = 60_000

/** The state as it is, without starting anything. */
export const ui5State = (): State => (isBuilt() ? { is: 'built' } : state)

/** The state; starts what is needed to improve it. */
export function wantUi5(): State {
  if (isBuilt()) {
    stopServer()
    return { is: 'built' }
  }
  const mayTry = state.is === 'missing' && Date.now() - failedAt > RETRY_MS
  if (mayTry && mayFetch()) startServer()
  return state
}

/** Fetches and builds, in development: production is shipped with the libraries, and without scripts. */
const script = () => path.resolve(cds.root, 'scripts/ui5/main.ts')

const mayFetch = () => settings().ui5 !== 'built' && existsSync(script())

/** Runs in a process of its own, which cannot harm the service and ends with it. */
function startScript(args: string[], onOutput: (text: string) => void): ChildProcess {
  const env = { ...process.env, NODE_OPTIONS: '' }
  const child = fork(script(), args, { execArgv: [], silent: true, env })
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk) => onOutput(String(chunk).trim()))
  }
  return child
}

function startServer() {
  state = { is: 'fetching', line: '' }
  const child = startScript(['--serve'], (text) => {
    const port = /URL: http:\/\/localhost:(\d+)/.exec(text)?.[1]
    if (port) {
      state = { is: 'unbuilt', port: Number(port) }
      startBuild()
    } else if (state.is === 'fetching') {
      state = { is: 'fetching', line: text.split('\n').at(-1) ?? '' }
    }
  })
  server = child
  child.once('error', (error) => endServer(child, error.message))
  child.once('exit', () => endServer(child, state.is === 'fetching' ? state.line : ''))
}

function endServer(child: ChildProcess, why: string) {
  if (server !== child) return
  server = undefined
  failedAt = Date.now()
  state = { is: 'missing', why }
  cds.log('ui5').warn('the UI5 libraries are not there:', why || 'their server has ended')
}

/** Starts the build that makes the next views fast. */
function startBuild() {
  if (isBuilding) return
  isBuilding = true
  const LOG = cds.log('ui5')
  LOG.info('building the UI5 libraries in the background; until then apps open slowly')
  let last = ''
  startScript([builtFolder(), '--background'], (text) => (last = text)).once('exit', (code) => {
    isBuilding = false
    if (code === 0) LOG.info('the UI5 libraries are built')
    else LOG.warn(last)
  })
}

function stopServer() {
  const child = server
  server = undefined
  child?.kill()
}

/** The UI5 libraries: as production ships them, or as `npm run ui5` builds them. */
export function builtFolder(): string {
  const shipped = path.resolve(cds.root, 'ui5')
  return existsSync(shipped) ? shipped : path.resolve(cds.root, '.restock/ui5')
}

const versionFile = () => path.join(builtFolder(), 'resources', 'sap-ui-version.json')

const isBuilt = () => existsSync(versionFile())

let known = { file: '', at: 0, version: '' }

/**
 * The version of the served build. Pages name it, so that browsers may cache its files. It is the same on every instance with
 * this build.
 * @throws Error without a build
 */
export function builtVersion(): string {
  const file = versionFile()
  const at = statSync(file).mtimeMs
  if (known.file !== file || known.at !== at) {
    const { buildTimestamp } = JSON.parse(readFileSync(file, 'utf8')) as { buildTimestamp: string }
    known = { file, at, version: buildTimestamp }
  }
  return known.version
}
