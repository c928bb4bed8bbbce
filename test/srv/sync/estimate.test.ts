import { estimatedEnd } from '../../../srv/domain/sync/syncs.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()
const phases = (...starts: [string, number][]) =>
  JSON.stringify(starts.map(([phase, seconds]) => ({ phase, startedAt: at(seconds) })))

/** Took 100 s, 30 s and 20 s. */
const before = {
  phases: phases(['reading', -1000], ['forecasting', -900], ['proposing', -870]),
  finishedAt: at(-850),
}
const running = { status: 'running', done: 25, total: 100, phases: phases(['reading', -10]) }
const forecasting = { ...running, phases: phases(['reading', -60], ['forecasting', -10]) }
const proposing = {
  ...running,
  phases: phases(['reading', -60], ['forecasting', -40], ['proposing', -10]),
}

describe('the estimated end of a sync', () => {
  it.each([
    ['reading: with the later phases of the sync before', running, 30 + 50],
    ['forecasting: at its own pace, with the last phase', forecasting, 30 + 20],
    ['proposing: at its own pace', proposing, 30],
    ['all read, and not begun to forecast', { ...running, done: 100 }, 50],
  ])('%s', (_name, row, seconds) => {
    expect(estimatedEnd(row, before, NOW)).toBe(at(seconds))
  })

  it('of the last phase needs no sync before it', () => {
    expect(estimatedEnd(proposing, null, NOW)).toBe(at(30))
  })

  it.each([
    ['there was no sync before', running, null],
    ['the one before had no such phase', running, { phases: phases(['reading', -9]) }],
    ['nothing is done', { ...proposing, done: 0 }, before],
    ['the total is unknown', { ...proposing, total: null }, before],
    ['more is done than there was', { ...proposing, done: 101 }, before],
    ['no phase has begun', { ...proposing, phases: null }, before],
    ['it waits', { ...proposing, status: 'queued' }, before],
    ['it has ended', { ...proposing, status: 'succeeded' }, before],
  ])('is not told where %s', (_name, row, earlier) => {
    expect(estimatedEnd(row, earlier, NOW)).toBe(null)
  })

  it('is never in the past, even with a clock that was set back', () => {
    const ahead = { ...proposing, phases: phases(['proposing', 60]) }
    expect(estimatedEnd(ahead, null, NOW)).toBe(at(0))
  })
})
