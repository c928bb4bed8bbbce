import { Run } from '../../../srv/domain/sync/run.ts'

it('lists the first hundred bad rows, and besides them whatever else is wrong', () => {
  const run = new Run(1, 1, 'full', { share: 0.5, minRows: 100 })
  const bad = { code: 'invalid_value', target: 'BaseUnit', message: 'is none', excerpt: '{}' }
  const quarantined = Array.from({ length: 150 }, (_, at) => ({
    ...bad,
    place: `A_Product('${at}')`,
  }))
  const progress = { done: 150, total: 150, unit: 'rows' as const }
  const page = { records: [], quarantined, cursor: '', progress }
  run.count('skus', page, { upserted: 0, unchanged: 0, deleted: 0 })
  run.add({ code: 'forbidden', stream: 'stock', key: null, message: 'No right to it.' })
  expect(run.issues).toHaveLength(101)
  expect(run.issues.at(-1)).toMatchObject({ code: 'forbidden', stream: 'stock' })
  expect(run.counts()).toMatchObject({ quarantined: 150 })
})
