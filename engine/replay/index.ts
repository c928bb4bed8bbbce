// A past lived through once more: what a company had of each pair, and what it would have had with every proposal.
export { type Band, bandsOf, type Drawn } from './bands.ts'
export { type KnownPast, type OwnPath, ownPath } from './own-path.ts'
export {
  countOwn,
  type Replay,
  type Replayed,
  replayProposals,
  type ReplayTerms,
  replayTogether,
} from './replay-pair.ts'
export { type OpenOrder, Shelf } from './shelf.ts'
export { BLOCK_DAYS, blocksIn, type Measure, MEASURES, Tally } from './tally.ts'
export { DAYS_BEFORE, type Wanted, wantedDemand } from './wanted.ts'
