// Licences and known vulnerabilities of the packages that production installs: part of `npm run check`. Licences are read from
// the lock file; vulnerabilities are asked of the registry, and where it does not answer the check goes on without them.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const read = (name: string): unknown => JSON.parse(readFileSync(path.join(root, name), 'utf8'))

interface Accepted {
  /** Licences that a service may ship with, by SPDX. */
  licences: string[]
  /** Packages with another one, and why that is no problem. */
  packages: Record<string, string>
  /** Advisories (GHSA-…) that do not concern this service: why, and until when that is believed. */
  advisories: Record<string, { why: string; until: string }>
}

interface Locked {
  version?: string
  license?: string
  dev?: boolean
  devOptional?: boolean
  link?: boolean
}

export const accepted = read('scripts/dependencies.json') as Accepted

/** Packages whose licence is not accepted, as `name@version: licence`. */
export function licenceFaults(
  packages: Record<string, Locked>,
  { licences, packages: known }: Accepted,
): string[] {
  return Object.entries(packages)
    .filter(([at, { dev, link }]) => at !== '' && !dev && !link)
    .map(([at, rest]) => ({ name: at.slice(at.lastIndexOf('node_modules/') + 13), at, ...rest }))
    .filter(({ name, license }) => !known[name] && !isAccepted(license ?? '', licences))
    .map(({ name, version, license }) => `${name}@${version}: ${license ?? 'no licence'}`)
}

/** `(MIT OR GPL-3.0)` needs one that is accepted, `MIT AND ISC` all. */
const isAccepted = (expression: string, licences: string[]): boolean =>
  expression
    .replaceAll(/[()]/g, '')
    .split(/ OR /)
    .some((choice) => choice.split(/ AND /).every((one) => licences.includes(one.trim())))

interface Advisory {
  url?: string
  title?: string
  severity?: string
}

interface Report {
  error?: unknown
  vulnerabilities?: Record<string, { via: (string | Advisory)[] }>
}

/** Advisories that are not explained, or whose explanation has expired. */
export function advisoryFaults(
  { vulnerabilities = {} }: Report,
  { advisories }: Accepted,
  today = new Date().toISOString().slice(0, 10),
): string[] {
  const faults = Object.entries(vulnerabilities).flatMap(([name, { via }]) =>
    via
      .filter((each) => typeof each !== 'string')
      .map(({ url = '', title, severity }) => ({
        id: url.split('/').at(-1)!,
        name,
        title,
        severity,
      }))
      .filter(({ id }) => !(advisories[id] && advisories[id].until >= today))
      .map(({ id, name, title, severity }) => `${name}: ${id} (${severity}) ${title}`),
  )
  return [...new Set(faults)]
}

/** What the registry says; null where it cannot be asked. */
function askRegistry(): Report | null {
  const text = runAudit()
  try {
    const report = JSON.parse(text) as Report
    return report.error ? null : report
  } catch {
    return null
  }
}

function runAudit(): string {
  const args = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000']
  // npm names itself to its scripts; Windows has no program `npm`, only files that need its shell.
  const { npm_execpath: npm } = process.env
  try {
    return execFileSync(npm ? process.execPath : 'npm', npm ? [npm, ...args] : args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? '' // Ends with 1 where it finds something.
  }
}

if (import.meta.main) {
  const { packages } = read('package-lock.json') as { packages: Record<string, Locked> }
  const report = askRegistry()
  if (!report) process.stderr.write('npm audit: the registry does not answer; left out.\n')
  const faults = [
    ...licenceFaults(packages, accepted).map((fault) => `licence not accepted: ${fault}`),
    ...advisoryFaults(report ?? {}, accepted).map((fault) => `not explained: ${fault}`),
  ]
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  if (faults.length) {
    process.stderr.write('See scripts/dependencies.json.\n')
    process.exitCode = 1
  }
}
