import { setTimeout as sleep } from 'node:timers/promises'
import { withReadAhead, readAhead } from '../../../srv/domain/proposals/stored/read-ahead.ts'

const reads: number[][] = []
const read = (ID: number) =>
  readAhead('halves', ID, async (IDs) => {
    reads.push(IDs)
    return new Map(IDs.filter((each) => each % 2 === 0).map((each) => [each, each / 2]))
  })
beforeEach(() => void reads.splice(0))

it('reads what belongs to a proposal alone where nothing else is decided', async () => {
  expect([await read(2), await read(3)]).toEqual([1, undefined])
  expect(reads).toEqual([[2], [3]])
})

it('reads for the next fifty at once, and what is missing is read once', async () => {
  const IDs = Array.from({ length: 120 }, (_, at) => at + 1)
  const found = await withReadAhead(IDs, async () => {
    const all: (number | undefined)[] = []
    for (const ID of IDs) all.push(await read(ID))
    return all
  })
  expect(found).toEqual(IDs.map((ID) => (ID % 2 ? undefined : ID / 2)))
  expect(reads.map(({ length }) => length)).toEqual([50, 50, 20])
})

it('uses nothing for longer than a second, and forgets it after the call', async () => {
  await withReadAhead([2, 4, 6], async () => {
    await read(2)
    await read(4)
    await sleep(1_100)
    await read(6)
  })
  await read(6)
  expect(reads).toEqual([[2, 4, 6], [6], [6]])
})
