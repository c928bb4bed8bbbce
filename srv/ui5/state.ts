// Where UI5 comes from at present. Nothing is fetched before somebody wants to see an app.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { ChildProcess } from 'node:child_process'
import cds from '@sap/cds'
import { settings } from '../config.ts'
import { builtFolder } from './paths.ts'
import { buildInto, hasTool, serveArguments, startTool } from './tool.ts'

export type State =
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

const isBuilt = () => existsSync(path.join(builtFolder(), 'resources', 'sap-ui-version.json'))

/** The state as it is, without starting anything. */
export function ui5State(): State {
  return isBuilt() ? { is: 'built' } : state
}

/** The state, after what it takes to come to a better one has been started. */
export function wantUi5(): State {
  if (isBuilt()) {
    stopServer()
    return { is: 'built' }
  }
  const mayTry = state.is === 'missing' && Date.now() - failedAt > RETRY_MS
  if (mayTry && fetches()) start()
  return state
}

/** Off where the configuration says so, and where there is no tool to fetch by. */
const fetches = () => settings().ui5 !== 'built' && hasTool()

function start() {
  state = { is: 'fetching', line: '' }
  const child = startTool(serveArguments)
  server = child
  const hear = (chunk: unknown) => {
    const text = String(chunk)
    const port = /URL: http:\/\/localhost:(\d+)/.exec(text)?.[1]
    if (port) {
      state = { is: 'unbuilt', port: Number(port) }
      void buildBehind()
    } else if (state.is === 'fetching') {
      state = { is: 'fetching', line: text.trim().split('\n').at(-1) ?? '' }
    }
  }
  child.stdout!.on('data', hear)
  child.stderr!.on('data', hear)
  child.once('error', (error) => end(child, error.message))
  child.once('exit', () => end(child, state.is === 'fetching' ? state.line : ''))
}

function end(child: ChildProcess, why: string) {
  if (server !== child) return
  server = undefined
  failedAt = Date.now()
  state = { is: 'missing', why }
  cds.log('ui5').warn('the UI5 libraries are not there:', why || 'their server has ended')
}

/** Builds what the next views are fast with, at the least priority. */
async function buildBehind() {
  if (isBuilding) return
  isBuilding = true
  const LOG = cds.log('ui5')
  try {
    LOG.info('building the UI5 libraries in the background; until then apps open slowly')
    await buildInto(builtFolder(), () => {}, true)
    LOG.info('the UI5 libraries are built')
  } catch (error) {
    LOG.warn((error as Error).message)
  } finally {
    isBuilding = false
  }
}

function stopServer() {
  const child = server
  server = undefined
  child?.kill()
}
