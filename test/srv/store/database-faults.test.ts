import {
  DatabaseAway,
  isDatabaseFault,
  noteBroken,
  toDatabaseRefusal,
} from '../../../srv/base/database/database-faults.ts'

const faultOf = (members: object) => Object.assign(new Error(), members)

it.each([
  [{ code: '53300', message: 'sorry, too many clients already' }, 'database_unavailable'],
  [{ code: '57P03', message: 'the database system is starting up' }, 'database_unavailable'],
  [{ message: 'Pool resource could not be acquired within 15s' }, 'database_unavailable'],
  [{ name: 'TimeoutError', message: 'ResourceRequest timed out' }, 'database_unavailable'],
  [{ code: '53100', message: 'could not extend file' }, 'disk_full'],
])('takes %j for a database that cannot be used', (members, code) => {
  const told = toDatabaseRefusal(faultOf(members))
  expect(told).toMatchObject({ code, options: { retryAfter: expect.any(Number) as number } })
  expect(isDatabaseFault(faultOf(members))).toBe(true)
})

it.each([
  { message: 'Connection terminated unexpectedly' },
  { message: 'Client was closed and is not queryable' },
  { code: '57P01', message: 'terminating connection due to administrator command' },
])('says of %j that the work may have been done', (members) => {
  expect(toDatabaseRefusal(faultOf(members))).toMatchObject({
    ...{
      code: 'database_unavailable',
      message: expect.stringContaining('or not at all') as string,
    },
  })
})

it('says of a statement that was stopped that it took too long', () => {
  const stopped = faultOf({
    code: '57014',
    message: 'canceling statement due to statement timeout',
  })
  expect(toDatabaseRefusal(stopped)).toMatchObject({
    ...{ code: 'database_unavailable', message: expect.stringContaining('too long') as string },
  })
})

it('tells the network to the database from the one to an ERP', () => {
  const reset = () => faultOf({ code: 'ECONNRESET', message: 'read ECONNRESET' })
  const ofErp = reset()
  expect(toDatabaseRefusal(ofErp)).toBe(ofErp)
  const ofDatabase = reset()
  noteBroken(ofDatabase)
  expect(toDatabaseRefusal(ofDatabase)).toMatchObject({ code: 'database_unavailable' })
  const away = new DatabaseAway('connect ECONNREFUSED')
  expect(toDatabaseRefusal(away)).toMatchObject({ code: 'database_unavailable' })
})
