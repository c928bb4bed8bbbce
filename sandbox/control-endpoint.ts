// `/__control` for scripts: GET shows the state, POST takes {set, fault, clearFaults, advance, change,
// expireTokens, revokeTokens, restart, clearLog}; GET /__control/log and /__control/truth (NDJSON).
import { readText, sendJson } from './http.ts'
import { truth } from './truth/truth.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Behaviour } from './behaviour.ts'
import type { Change } from './changes/change.ts'
import type { Control } from './control.ts'
import type { Fault } from './faults.ts'
import type { State } from './state.ts'
import type { TruthOptions } from './truth/truth.ts'

interface Command {
  set?: Partial<Behaviour>
  fault?: Fault | Fault[]
  clearFaults?: true
  advance?: number
  change?: Change[]
  expireTokens?: true
  revokeTokens?: true
  restart?: { downMs?: number }
  clearLog?: true
}

export async function controlRequest(
  state: State,
  path: string,
  params: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const control = state.control!
  if (path === '/__control/log') return sendJson(response, 200, state.log)
  if (path === '/__control/truth') return sendTruth(state, params, response)
  if (request.method !== 'POST') return sendJson(response, 200, describe(state, control))
  try {
    const command = JSON.parse((await readText(request)) || '{}') as Command
    const changes = run(control, command)
    sendJson(response, 200, { ...describe(state, control), changes })
    if (command.restart) void control.restart(command.restart.downMs)
  } catch (error) {
    sendJson(response, 400, { error: String(error) })
  }
}

function run(control: Control, command: Command) {
  if (command.set) control.set(command.set)
  if (command.clearFaults) control.clearFaults()
  for (const fault of [command.fault ?? []].flat()) control.fault(fault)
  if (command.clearLog) control.clearLog()
  if (command.expireTokens) control.expireTokens()
  if (command.revokeTokens) control.revokeTokens()
  if (command.advance) control.advance(command.advance)
  return command.change ? control.change(command.change) : []
}

function describe(state: State, control: Control) {
  return {
    counts: control.counts(),
    traffic: control.traffic(),
    behaviour: state.behaviour,
    faults: state.faults.list(),
  }
}

async function sendTruth(state: State, params: URLSearchParams, response: ServerResponse) {
  const options: TruthOptions = {}
  const basis = params.get('basis')
  if (basis === 'movements' || basis === 'deliveries') options.basis = basis
  if (params.get('demand') === 'false') options.demand = false
  const sku = params.get('sku')
  if (sku !== null) options.sku = sku
  response.writeHead(200, { 'content-type': 'application/x-ndjson;charset=utf-8' })
  for (const pair of truth(state.world, options)) {
    if (response.write(`${JSON.stringify(pair)}\n`)) continue
    await new Promise((resolve) => response.once('drain', resolve))
  }
  response.end()
}
