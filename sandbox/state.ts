import { CLIENT, DEFAULTS } from './behaviour.ts'
import { Faults } from './faults.ts'
import { Tokens } from './oauth/tokens.ts'
import { services } from './services/index.ts'
import { Gate } from './throttle.ts'
import type { Behaviour } from './behaviour.ts'
import type { Clock } from './clock.ts'
import type { Control } from './control.ts'
import type { LogEntry } from './log-entry.ts'
import type { Service } from './odata/set.ts'
import type { World } from './world/world.ts'

export interface State {
  world: World
  clock: Clock
  behaviour: Behaviour
  services: Service[]
  log: LogEntry[]
  tokens: Tokens
  faults: Faults
  gate: Gate
  basic: string
  control?: Control
}

export function createState(world: World, clock: Clock, behaviour: Partial<Behaviour>): State {
  const pair = Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')
  return {
    world,
    clock,
    behaviour: { ...DEFAULTS, ...behaviour },
    services: services(world),
    log: [],
    tokens: new Tokens(),
    faults: new Faults(),
    gate: new Gate(),
    basic: `Basic ${pair}`,
  }
}
