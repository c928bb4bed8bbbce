import path from 'node:path'
import { advisoryFaults, licenceFaults } from '../../scripts/dependencies.ts'
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
