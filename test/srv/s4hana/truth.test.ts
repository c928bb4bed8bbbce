import { type Erp, type ErpOptions, startErp } from '../../../sandbox/index.ts'
import { differences, differencesButVanished } from '../../support/erp-truth.ts'
import { sync } from '../../support/server.ts'
import { connect } from './source.ts'

let erp: Erp
afterEach(() => erp.close())

async function connected(options: ErpOptions = {}) {
  erp = await startErp({ size: 60, days: 120, ...options })
  return (await connect(erp)).source
}

describe('a sync makes the store equal to the ERP', () => {
  it('in full, and day by day', async () => {
    const source = await connected()
    expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await differences(source, erp)).toEqual([])
    for (const days of [1, 3]) {
      erp.control.advance(days)
      expect(await sync(source)).toMatchObject({ status: 'succeeded' })
      expect(await differencesButVanished(source, erp)).toEqual([])
    }
    await sync(source, 'full')
    expect(await differences(source, erp)).toEqual([])
  })

  it('with a cancellation in another window, a return, and a SKU that vanished', async () => {
    const source = await connected()
    await sync(source, 'full')
    const [first, second, third] = [...erp.truth()].filter(({ demand }) => demand.length > 3)
    const pairOf = ({ sku, location }: { sku: string; location: string }) => ({ sku, location })
    erp.control.change([
      { kind: 'cancelLast', ...pairOf(first!) },
      { kind: 'return', quantity: 1, ...pairOf(second!) },
      { kind: 'vanish', sku: third!.sku },
    ])
    await sync(source)
    await sync(source, 'full')
    expect(await differences(source, erp)).toEqual([])
  })
})
