import path from 'node:path'
import {
  advisoryFaults,
  auditResult,
  licenceFaults,
  readReport,
} from '../../scripts/dependencies.ts'
import { billOfMaterials } from '../../scripts/sbom.ts'
import { parseJson } from '../support/json.ts'

const accepted = {
  licences: ['MIT', 'ISC'],
  packages: { odd: 'because' },
  advisories: { 'GHSA-a': { why: 'not called', until: '2026-12-31' } },
}

it('tells of licences that are not accepted, of what production installs', () => {
  const packages = {
    '': {},
    'node_modules/a': { version: '1.0.0', license: 'MIT' },
    'node_modules/b': { version: '1.0.0', license: '(GPL-3.0 OR ISC)' },
    'node_modules/c/node_modules/@x/d': { version: '2.0.0', license: 'MIT AND GPL-3.0' },
    'node_modules/e': { version: '3.0.0', license: 'GPL-3.0', dev: true },
    'node_modules/f': { version: '4.0.0' },
    'node_modules/odd': { version: '5.0.0' },
  }
  expect(licenceFaults(packages, accepted)).toEqual([
    '@x/d@2.0.0: MIT AND GPL-3.0',
    'f@4.0.0: no licence',
  ])
})

it('tells of advisories that nobody has explained, or no longer', () => {
  const via = (id: string) => ({
    url: `https://github.com/advisories/${id}`,
    title: 't',
    severity: 'high',
  })
  const report = {
    vulnerabilities: { x: { via: [via('GHSA-a'), 'y'] }, y: { via: [via('GHSA-b')] } },
  }
  expect(advisoryFaults(report, accepted, '2026-12-01')).toEqual(['y: GHSA-b (high) t'])
  expect(advisoryFaults(report, accepted, '2027-01-01')).toHaveLength(2)
})

describe('the audit of the registry', () => {
  const answer = (vulnerabilities: object) =>
    JSON.stringify({ vulnerabilities, metadata: { dependencies: { total: 12 } } })

  it('that found nothing says how many packages were checked', () => {
    expect(auditResult(readReport(answer({})), [], true)).toEqual({
      line: 'npm audit: checked 12 packages, nothing found.',
      isFailed: false,
    })
  })

  it('that found what nobody explained fails', () => {
    const report = readReport(answer({ x: { via: [{ url: '/GHSA-b', title: 't' }] } }))
    const faults = advisoryFaults(report as never, accepted)
    expect(faults).toHaveLength(1)
    expect(auditResult(report, faults, false)).toEqual({
      line: 'npm audit: checked 12 packages, 1 not explained.',
      isFailed: true,
    })
  })

  it.each([
    ['an empty answer', ''],
    ['no JSON', '<html>'],
    ['an error of the registry', '{"message":"405 Method Not Allowed","error":{"summary":""}}'],
    ['an answer of somebody else', '{}'],
    ['one without its packages', '{"vulnerabilities":{}}'],
  ])('that got %s has checked nothing, says so, and fails where it is required', (_what, text) => {
    const report = readReport(text)
    const { line, isFailed } = auditResult(report, [], false)
    expect(line).toMatch(/^npm audit: 1 warning: NOT CHECKED, the registry is silent/)
    expect(isFailed).toBe(false)
    expect(auditResult(report, [], true).isFailed).toBe(true)
  })
})

it('lists what production installs in a bill of materials', () => {
  const root = path.resolve(import.meta.dirname, '../..')
  const { components } = parseJson<{ components: { name: string; purl: string }[] }>(
    billOfMaterials(root),
  )
  const names = components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['@sap/cds', 'express', 'zod']))
  expect(names).not.toContain('jest')
  expect(components.find(({ name }) => name === '@sap/cds')!.purl).toMatch(
    /^pkg:npm\/%40sap\/cds@10/,
  )
})
