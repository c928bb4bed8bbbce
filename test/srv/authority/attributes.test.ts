// Which rows a sign-in is bound to, and that XSUAA is told of the attributes that say so.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { restrictionOf } from '../../../srv/domain/authority/index.ts'
import { parseJson } from '../../support/json.ts'

const ofToken = (payload: object) => ({ authInfo: { token: { payload } } })

it.each([
  [{}, null],
  [{ attr: { locations: ['L1'] } }, { locations: ['L1'], groups: null }],
  [{ attr: { locations: 'L1', groups: 'G1' } }, { locations: ['L1'], groups: ['G1'] }],
  [{ attr: { locations: [] } }, { locations: [], groups: null }],
  [{ attr: { groups: ['Buyer'] }, ...ofToken({ groups: ['Buyer'] }) }, null],
  [
    { attr: { groups: ['Buyer'], sku_groups: ['G1'] }, ...ofToken({ groups: ['Buyer'] }) },
    { locations: null, groups: ['G1'] },
  ],
])('a sign-in with %j is bound to %j', (user, rows) => {
  expect(restrictionOf(user)).toEqual(rows)
})

it('XSUAA knows the attributes, which no role needs', () => {
  const file = path.resolve(import.meta.dirname, '../../../xs-security.json')
  const { attributes, 'role-templates': templates } = parseJson<{
    attributes: { name: string; valueRequired: boolean }[]
    'role-templates': { name: string; 'attribute-references'?: { name: string }[] }[]
  }>(readFileSync(file, 'utf8'))
  expect(attributes.map(({ name, valueRequired }) => [name, valueRequired])).toEqual([
    ['locations', false],
    ['groups', false],
  ])
  for (const name of ['Viewer', 'Buyer', 'ApproverHigh']) {
    const { 'attribute-references': references = [] } = templates.find((t) => t.name === name)!
    expect(references.map((each) => each.name)).toEqual(['locations', 'groups'])
  }
})
