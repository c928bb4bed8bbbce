// Entities for cds.ql: at run time their names, for the compiler the rows that a query of them reads and writes.
import type { CdsDate, Key, Unkey } from '#cds-models/_'
import type * as Model from '#cds-models/restock'

type Classes = typeof Model

/** cds-typer ends a plural with `_` where the singular is spelled the same. */
type ClassOf<Name extends string> = `${Name}_` extends keyof Classes
  ? Classes[`${Name}_`]
  : Name extends keyof Classes
    ? Classes[Name]
    : never

type Values<T> = { [E in keyof T as NonNullable<T[E]> extends Scalar ? E : never]-?: Plain<T[E]> }
type Lists<T> = {
  [E in keyof T as NonNullable<T[E]> extends Scalar[] ? E : never]-?: NonNullable<T[E]> | null
}
type Associations<T> = {
  [E in keyof T as NonNullable<T[E]> extends Scalar | Scalar[] ? never : E]?: T[E]
}
type Scalar = string | number | boolean | Key<string> | Key<number>
/** The type without what cds-typer adds for keys and dates. */
type Plain<V> = V extends CdsDate ? string : Unkey<V>

/** A row as it is stored: every element is there, null where it is empty. Keys are never empty. */
export type Row<T> = Values<T> & Lists<T> & Associations<T>

/** A name that cds.ql's types take for the class of its rows. */
type Entity<Class> = Class extends new () => (infer T)[] ? (new () => Row<T>[]) & string : never

/** A row of an entity that is known at run time only. */
export type AnyRow = { [element: string]: unknown }
export type AnyEntity = (new () => AnyRow[]) & string

const entity = <Name extends string>(name: Name) =>
  `restock.${name}` as unknown as Entity<ClassOf<Name>>

export const ApiKeys = entity('ApiKeys')
export const ApprovalLocks = entity('ApprovalLocks')
export const ApprovedValues = entity('ApprovedValues')
export const AuditHead = entity('AuditHead')
export const AuditLog = entity('AuditLog')
export const AuditRedactions = entity('AuditRedactions')
export const BlockedPairs = entity('BlockedPairs')
export const Consents = entity('Consents')
export const Counters = entity('Counters')
export const CurrentCustomerOrders = entity('CurrentCustomerOrders')
export const CurrentOpenOrders = entity('CurrentOpenOrders')
export const CurrentBatches = entity('CurrentBatches')
export const CurrentReservations = entity('CurrentReservations')
export const CurrentStock = entity('CurrentStock')
export const CursorKeys = entity('CursorKeys')
export const CustomerOrders = entity('CustomerOrders')
export const Delegations = entity('Delegations')
export const DemandRows = entity('DemandRows')
export const ErpForecastScores = entity('ErpForecastScores')
export const ErpForecasts = entity('ErpForecasts')
export const ExpectedOrders = entity('ExpectedOrders')
export const Events = entity('Events')
export const Evidence = entity('Evidence')
export const ExceptionKinds = entity('ExceptionKinds')
export const Exceptions = entity('Exceptions')
export const ExchangeRates = entity('ExchangeRates')
export const ForecastOverrideCases = entity('ForecastOverrideCases')
export const ForecastOverrides = entity('ForecastOverrides')
export const ForecastReplays = entity('ForecastReplays')
export const ForecastSamples = entity('ForecastSamples')
export const ForecastSeriesScores = entity('ForecastSeriesScores')
export const ForecastScores = entity('ForecastScores')
export const Forecasts = entity('Forecasts')
export const GlobalUsers = entity('GlobalUsers')
export const HandOverLines = entity('HandOverLines')
export const HandOvers = entity('HandOvers')
export const IdempotentAnswers = entity('IdempotentAnswers')
export const LeadTimes = entity('LeadTimes')
export const Learnt = entity('Learnt')
export const Locations = entity('Locations')
export const MeasuredMonths = entity('MeasuredMonths')
export const MeasuredValues = entity('MeasuredValues')
export const Notices = entity('Notices')
export const OpenOrders = entity('OpenOrders')
export const OrderPromises = entity('OrderPromises')
export const OpenReversals = entity('OpenReversals')
export const PairForecasts = entity('PairForecasts')
export const PairInputs = entity('PairInputs')
export const PairPlanning = entity('PairPlanning')
export const HolidayCalendars = entity('HolidayCalendars')
export const PlannedEvents = entity('PlannedEvents')
export const Planning = entity('Planning')
export const Policies = entity('Policies')
export const PriceBreaks = entity('PriceBreaks')
export const ProposalEvents = entity('ProposalEvents')
export const Proposals = entity('Proposals')
export const QuarantinedRows = entity('QuarantinedRows')
export const Releases = entity('Releases')
export const RateLimits = entity('RateLimits')
export const Receipts = entity('Receipts')
export const Batches = entity('Batches')
export const Reservations = entity('Reservations')
export const RoleLimits = entity('RoleLimits')
export const RunChunks = entity('RunChunks')
export const Schedules = entity('Schedules')
export const Secrets = entity('Secrets')
export const Series = entity('Series')
export const SeriesStockHistory = entity('SeriesStockHistory')
export const Sessions = entity('Sessions')
export const SeriesStock = entity('SeriesStock')
export const Skus = entity('Skus')
export const Snapshots = entity('Snapshots')
export const SourceTypes = entity('SourceTypes')
export const Sources = entity('Sources')
export const SourceTurns = entity('SourceTurns')
export const Stock = entity('Stock')
export const StockDays = entity('StockDays')
export const StockHistories = entity('StockHistories')
export const Stockouts = entity('Stockouts')
export const StockWorths = entity('StockWorths')
export const StreamStates = entity('StreamStates')
export const StreamStatuses = entity('StreamStatuses')
export const Successions = entity('Successions')
export const Suppliers = entity('Suppliers')
export const SupplierTerms = entity('SupplierTerms')
export const Drafts = entity('Drafts')
export const CurrentDrafts = entity('CurrentDrafts')
export const Closures = entity('Closures')
export const Syncs = entity('Syncs')
export const TaskAudiences = entity('TaskAudiences')
export const TaskComments = entity('TaskComments')
export const TaskDigests = entity('TaskDigests')
export const TaskFeed = entity('TaskFeed')
export const TaskLines = entity('TaskLines')
export const Tasks = entity('Tasks')
export const TaskViews = entity('TaskViews')
export const UserLimits = entity('UserLimits')
export const Users = entity('Users')
export const WebhookDeliveries = entity('WebhookDeliveries')
export const WebhookSecrets = entity('WebhookSecrets')
export const Webhooks = entity('Webhooks')

/** The columns of `T` as the model must have them. */
export type Columns<T> = { [E in keyof T]?: Element<T[E]> | null } & object
/** Codes are texts in the model; decimals are numbers there, and answered as texts. */
type Element<V> = V extends string ? string | number : V extends string[] ? string[] : V

/**
 * The rows of a query by the columns it chooses. CAP's types give every element of the entity instead; an element that
 * is renamed, computed or never null for these rows is the caller's word, all others are checked against the model.
 */
export function readAs<T>(query: Promise<Columns<T>[]>): Promise<T[]>
/** The row of a query for one, null where there is none. */
export function readAs<T>(query: Promise<Columns<T> | null>): Promise<T | null>
export function readAs<T>(query: Promise<unknown>) {
  return query as Promise<T>
}
