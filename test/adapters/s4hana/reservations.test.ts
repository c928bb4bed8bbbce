// Reservations: what is open of them, and what becomes of a source that may not read them.
import { neededRightsOf } from '../../../adapters/s4hana/auth.ts'
import { toReservation } from '../../../adapters/s4hana/reservations.ts'
import type { Change, Erp, PairTruth } from '../../../sandbox/index.ts'
import { adapter, Copy, connectionTo, startSmallErp, streamOf } from './support.ts'

let erp: Erp
let pair: { sku: string; location: string }
beforeAll(async () => {
  erp = await startSmallErp({ size: 10, days: 5 })
  const [{ sku, location }] = [...erp.truth({ demand: false })] as [PairTruth]
  pair = { sku, location }
})
afterAll(() => erp.close())

const reserve = (reservation: string, quantity: number, more: object = {}): Change => ({
  ...{ kind: 'reserve', ...pair, reservation, quantity, ...more },
})

it('are read as far as they are not withdrawn, and follow what becomes of them', async () => {
  const copy = new Copy(connectionTo(erp))
  const sync = () => copy.syncOne(streamOf(copy.connection, 'reservations'))
  erp.control.change([
    reserve('1', 12, { due: '2026-12-01', withdrawn: 4.5 }),
    reserve('2', 3),
    reserve('3', 5, { type: '311' }),
  ])
  await sync()
  expect([...copy.reservations.values()]).toEqual([
    { document: '1', line: '1', ...pair, quantity: 7.5, due: '2026-12-01' },
    { document: '2', line: '1', ...pair, quantity: 3, due: '2026-12-04' },
  ])
  const key = { Reservation: '2', ReservationItem: '1', RecordType: '' }
  erp.control.change([
    reserve('1', 12, { withdrawn: 12 }),
    {
      ...{ kind: 'row', set: 'A_ReservationDocumentItem', key },
      values: { ReservationItmIsMarkedForDeltn: true },
    },
    reserve('4', 1),
  ])
  await sync()
  expect([...copy.reservations.values()].map(({ document }) => document)).toEqual(['4'])
})

it('of components are what has not been sent to subcontractors, who use it first', async () => {
  const copy = new Copy(connectionTo(erp))
  const stored = (of: 'there' | 'elsewhere', quantity: string): Change => ({
    ...{ kind: 'row', set: 'A_MatlStkInAcctMod' },
    key: {
      ...{ Material: pair.sku, Plant: of === 'there' ? pair.location : '9999' },
      ...{ StorageLocation: '', Batch: '', Supplier: '0000100001', Customer: '' },
      ...{ WBSElementInternalID: '', SDDocument: '', SDDocumentItem: '0' },
      ...{ InventorySpecialStockType: 'O', InventoryStockType: '01' },
    },
    values: { MatlWrhsStkQtyInMatlBaseUnit: quantity },
  })
  erp.control.change([
    reserve('61', 10, { type: '543', due: '2026-12-20' }),
    reserve('62', 10, { type: '543', due: '2026-12-10', withdrawn: 4 }),
    reserve('63', 5, { type: '543', due: '2026-12-30' }),
    reserve('64', 5, { due: '2026-12-01' }),
    stored('there', '8.500'),
    stored('elsewhere', '99.000'),
  ])
  await copy.syncOne(streamOf(copy.connection, 'reservations'))
  const open = ['61', '62', '63', '64'].map((one) => copy.reservations.get(`${one}/1`)?.quantity)
  expect(open).toEqual([7.5, undefined, 5, 5])
})

it('leave out what stays in the plant, and components of planned orders', () => {
  const row = {
    ...{ Reservation: '77', ReservationItem: '2', RecordType: 'F', Product: 'P', Plant: '1010' },
    ...{ GoodsMovementType: '261', RequirementType: 'AR', IssuingOrReceivingPlant: '' },
    ...{ MatlCompRequirementDate: '/Date(1798761600000)/' },
    ...{ ResvnItmRequiredQtyInBaseUnit: '5.000', ResvnItmWithdrawnQtyInBaseUnit: '' },
  }
  expect(toReservation(row)).toMatchObject({ document: '77', line: '2/F', quantity: 5 })
  expect(toReservation({ ...row, RequirementType: 'SB' })).toBeNull()
  const transfer = { ...row, GoodsMovementType: '301' }
  expect(toReservation({ ...transfer, IssuingOrReceivingPlant: '1010' })).toBeNull()
  expect(toReservation({ ...transfer, IssuingOrReceivingPlant: '1020' })).toMatchObject({
    quantity: 5,
  })
  expect(() => toReservation({ ...row, ResvnItmRequiredQtyInBaseUnit: '-1' })).toThrow('negative')
})

it('need a right only where somebody wants them', () => {
  const optionsOf = (reservations?: boolean) => ({
    auth: 'authorization_code',
    ...(reservations !== undefined && { reservations }),
  })
  const rights = (reservations?: boolean) =>
    neededRightsOf(connectionTo(erp, optionsOf(reservations)))
  const streams = (options: object) =>
    adapter.streams(connectionTo(erp, { ...options })).map(({ record }) => record)
  expect(rights().join()).not.toContain('RESERVATION')
  expect(rights(true)).toContain('API_RESERVATION_DOCUMENT_SRV_0001')
  expect(streams(optionsOf())).not.toContain('reservations')
  expect(streams({})).toContain('reservations')
  expect(streams({ reservations: false })).not.toContain('reservations')
})

it('say what is missing where they may not be read', async () => {
  erp.control.set({ forbidden: ['API_RESERVATION_DOCUMENT_SRV'] })
  const copy = new Copy(connectionTo(erp))
  const stream = streamOf(copy.connection, 'reservations')
  expect(stream).toMatchObject({ isRequired: false, isOptional: true })
  await expect(copy.syncOne(stream)).rejects.toMatchObject({
    ...{ code: 'forbidden', message: expect.stringContaining('reservations=false') },
  })
})
