// Licences and known vulnerabilities of the packages that production installs: part of `npm run check`. Licences are read from
// the lock file; vulnerabilities are asked of the registry. Where it does not answer nothing was checked, which is said, and
// fails where RESTOCK_AUDIT=required.
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
  vulnerabilities: Record<string, { via: (string | Advisory)[] }>
  metadata: { dependencies: { total: number } }
}

/** Advisories that are not explained, or whose explanation has expired. */
export function advisoryFaults(
  { vulnerabilities }: Pick<Report, 'vulnerabilities'>,
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

/**
 * What the registry says. An answer without its count of packages is none: a proxy answers what it likes.
 * @returns why it was not asked, where it was not
 */
export function readReport(text: string): Report | string {
  try {
    const report = JSON.parse(text) as Partial<Report> & { message?: string }
    const { vulnerabilities, metadata, message } = report
    if (vulnerabilities && metadata?.dependencies.total) return { vulnerabilities, metadata }
    return message ?? 'its answer names no packages'
  } catch {
    return 'no answer'
  }
}

/** What came of asking, as the last line says it. */
export function auditResult(
  report: Report | string,
  faults: string[],
  isRequired: boolean,
): { line: string; isFailed: boolean } {
  if (typeof report === 'string') {
    const line = `npm audit: 1 warning: NOT CHECKED, the registry is silent (${report})`
    return {
      line: isRequired ? `${line}; RESTOCK_AUDIT=required.` : `${line}.`,
      isFailed: isRequired,
    }
  }
  const { total } = report.metadata.dependencies
  const found = faults.length ? `${faults.length} not explained` : 'nothing found'
  return { line: `npm audit: checked ${total} packages, ${found}.`, isFailed: faults.length > 0 }
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
  const report = readReport(runAudit())
  const licences = licenceFaults(packages, accepted).map(
    (fault) => `licence not accepted: ${fault}`,
  )
  const advisories = typeof report === 'string' ? [] : advisoryFaults(report, accepted)
  const explained = advisories.map((fault) => `not explained: ${fault}`)
  for (const fault of [...licences, ...explained]) process.stderr.write(`${fault}\n`)
  const isRequired = process.env.RESTOCK_AUDIT === 'required'
  const { line, isFailed } = auditResult(report, advisories, isRequired)
  process.stderr.write(`${line}\n`)
  if (licences.length || isFailed) {
    process.stderr.write('See scripts/dependencies.json.\n')
    process.exitCode = 1
  }
}
