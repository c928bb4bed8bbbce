// The one place where the configuration is read: cds.restock of CAP's, and the environment.
import path from 'node:path'
import cds from '@sap/cds'
import type { z } from 'zod'
import { harmfulProfiles } from './profile-names.ts'
import {
  allowedBy,
  type Environment,
  ENVIRONMENT,
  isSecret,
  membersOf,
  type Settings,
  SETTINGS,
} from './settings.ts'

/** A setting that is unknown or malformed, in one sentence. */
export class SettingFault extends Error {
  override name = 'SettingFault'
}

/** Objects that are checked and have every default. */
const complete = new WeakSet<object>()

/**
 * The settings as they stand now. They are checked once; an object that replaces `cds.env.restock` is checked too.
 * @throws SettingFault
 */
export function settings(): Settings {
  const found = (cds.env.restock ?? {}) as object
  if (complete.has(found)) return found as Settings
  const checked = check(SETTINGS, withEnvironment(found), 'cds.restock')
  complete.add(checked)
  cds.env.restock = checked
  return checked
}

/**
 * What only the environment sets, as it stands now; an empty variable is none.
 * @throws SettingFault
 */
export const environment = (): Environment => {
  const names = Object.keys(ENVIRONMENT.shape)
  const present = names.map((name) => [name, process.env[name] || undefined])
  return check(ENVIRONMENT, Object.fromEntries(present), '')
}

/** The first route of the application on Cloud Foundry; null elsewhere. */
export function routeOfPlatform(): string | null {
  const { application_uris: routes } = JSON.parse(process.env.VCAP_APPLICATION ?? '{}') as {
    application_uris?: string[]
  }
  return routes?.[0] ? `https://${routes[0]}` : null
}

/**
 * Before anything starts.
 * @throws SettingFault for what is unknown or malformed
 */
export function assertConfiguration() {
  for (const [name, value] of Object.entries(process.env)) {
    if (!value || !name.startsWith('RESTOCK_') || isVariable(name)) continue
    const hint = suggest(name, [...variables.keys(), ...Object.keys(ENVIRONMENT.shape)])
    throw new SettingFault(
      `${name} is set in the environment, but there is no such setting${hint}.`,
    )
  }
  environment()
  settings()
}

/** Settings by the variable that sets each: `RESTOCK_SCHEDULES_FULL` is `schedules.full`. */
export const variables = new Map(
  leavesOf(SETTINGS).map((leaf) => [variableOf(leaf.path), leaf] as const),
)

interface Leaf {
  path: string[]
  schema: z.ZodType
}

/** All single settings of a group, in their order. */
export function leavesOf(schema: z.ZodType, path: string[] = []): Leaf[] {
  const members = membersOf(schema)
  if (!members) return [{ path, schema }]
  return Object.entries(members).flatMap(([name, member]) => leavesOf(member, [...path, name]))
}

function variableOf(path: string[]) {
  const words = path.map((name) => name.replace(/[A-Z](?![A-Z])/g, (letter) => `_${letter}`))
  return `RESTOCK_${words.map((word) => word.replace(/^_/, '')).join('_')}`.toUpperCase()
}

/** Variables of the CLI, the client, the launcher and the checks, and those that Kubernetes sets for a service named restock. */
const OF_OTHERS =
  /^RESTOCK_(URL|API_KEY|AUDIT|CLIENT_SECRET|TASK_CENTER_TOKEN|USER_TOKEN|WEBHOOK_SECRET|NODE_HANDED_OVER|STARTED_BY|SEED|PORT.*|SERVICE_.*)$/

const isVariable = (name: string) =>
  name in ENVIRONMENT.shape || variables.has(name) || OF_OTHERS.test(name)

/** The configured settings with those of the environment over them. */
function withEnvironment(configured: object): object {
  const merged = structuredClone(configured)
  for (const [name, { path, schema }] of variables) {
    const text = process.env[name]
    if (!text) continue
    const value = [parseText(text), text].find((each) => schema.safeParse(each).success)
    if (value === undefined) throw malformed(name, text, schema)
    let group = merged as Record<string, object>
    for (const part of path.slice(0, -1)) group = (group[part] ??= {}) as Record<string, object>
    Object.assign(group, { [path.at(-1)!]: value })
  }
  return merged
}

/** Numbers, `true`, `null` and lists are JSON; other text stands for itself. */
function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown, root: string) {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const [issue] = error.issues
  const { path, schema: at } = nearest(schema, issue!.path.map(String))
  const found = valueAt(value, path)
  const name = [...(root ? [root] : []), ...path].join('.')
  if (issue!.code !== 'unrecognized_keys' || !membersOf(at)) {
    const bound: unknown = issue!.code === 'custom' ? issue.params?.allowed : undefined
    throw malformed(name, found, at, bound)
  }
  const [key] = issue.keys
  const unknown = JSON.stringify(valueAt(found, [key!]))
  const hint = suggest(key!, Object.keys(membersOf(at)!))
  throw new SettingFault(`${name}.${key} is ${unknown}, but there is no such setting${hint}.`)
}

const valueAt = (value: unknown, path: string[]) =>
  path.reduce<unknown>((group, name) => (group as never)?.[name], value)

/** The setting or group that a path leads to, or into. */
function nearest(schema: z.ZodType, path: string[]): Leaf {
  const [name, ...rest] = path
  const member = name === undefined ? undefined : membersOf(schema)?.[name]
  if (!member) return { path: [], schema }
  const found = nearest(member, rest)
  return { ...found, path: [name!, ...found.path] }
}

/** @param bound what other settings allow, where the value by itself is one that may be */
function malformed(name: string, value: unknown, schema: z.ZodType, bound?: unknown) {
  const shown = isSecret(schema) ? 'malformed (not shown)' : (JSON.stringify(value) ?? 'absent')
  const allowed = String(bound ?? allowedBy(schema) ?? 'a group of settings').replaceAll('`', '')
  return new SettingFault(`${name} is ${shown}, but must be ${allowed}.`)
}

/** What may have been meant: a name that differs in nothing but case and separators. */
function suggest(name: string, names: string[]) {
  const plain = (text: string) => text.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
  const meant = names.find((each) => plain(each) === plain(name))
  return meant ? `: ${meant} is meant` : ''
}

// CAP's profiles, from NODE_ENV and CDS_ENV. CAP adds `development` wherever `production` is not among them.

/** Names that are neither development nor test, such as `staging` or `Production`. */
export const otherProfiles = () => harmfulProfiles(cds.env.profiles)

/** Whether this is production as to safety: whatever is not plainly development or test. */
export const isProduction = () => otherProfiles().length > 0

/** Where the service keeps what it makes for itself: the demo's data and keys, the development database. */
export const ownFolder = () => path.join(cds.root, '.restock')
