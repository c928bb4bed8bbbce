// The neutral records that every adapter delivers. Quantities are in the SKU's base unit and never
// negative; dates are calendar days `YYYY-MM-DD`; codes are text exactly as the ERP spells them.
import { daysBetween } from './rows/days.ts'
import { z } from 'zod'
import { isTimeZone, TIME_ZONE_RULE } from './time-zone.ts'

/** The longest code or document number that can be stored. */
export const MAX_CODE_LENGTH = 100
/** The longest unit and name. */
export const MAX_UNIT_LENGTH = 20
export const MAX_NAME_LENGTH = 200
export const MAX_REGION_LENGTH = 20

const code = z.string().min(1).max(MAX_CODE_LENGTH)
/** Number and line of a document. */
const draftCode = z.string().min(1).max(201)
const units = z.number().finite().nonnegative().max(1e12)
const days = z.int().nonnegative().max(3650)
const money = z.string().regex(/^\d{1,15}(\.\d{1,4})?$/, 'must be a decimal number, not negative')
const currency = z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code')
// Databases store early years differently, and ERPs use 9999 as a placeholder.
const day = z.iso.date().refine((value) => value >= '1900-01-01', 'must not lie before 1900')
// A series has an entry for each day, so a mistyped year must not make it a thousand years long.
const demandDay = day.refine(isDemandDay, 'must lie between 1970 and 2199')

/** @param value an ISO date */
export function isDemandDay(value: string): boolean {
  return value >= '1970-01-01' && value < '2200-01-01'
}

/** A decimal above 0. */
export const isRate = (text: string) => /^\d{1,12}(\.\d{1,12})?$/.test(text) && /[1-9]/.test(text)

/** What is open of a line of a document. */
const openLine = { document: code, line: code, sku: code, location: code, quantity: units }

export const skuRecord = z.object({
  sku: code,
  /** What the ERP knows it by whatever its code is: another code of the same identity is a new name of this SKU. */
  identity: z.string().min(1).max(60).nullable().optional(),
  name: z.string().max(MAX_NAME_LENGTH).nullable(),
  unit: z.string().max(MAX_UNIT_LENGTH).nullable(),
  supplier: code.nullable(),
  unitCost: money.nullable(),
  currency: currency.nullable(),
  /** The group of SKUs that share an ordering rule. */
  skuGroup: code.nullable().optional(),
  /** False: flagged for deletion, never bought again. Absent means true. */
  purchasable: z.boolean().optional(),
  /** The first day without demand, because the SKU is phased out. */
  phaseOutOn: day.nullable().optional(),
  /** The SKU that is asked for instead from then on. */
  successor: code.nullable().optional(),
})

export const supplierRecord = z.object({ supplier: code, name: z.string().max(200).nullable() })

export const locationRecord = z.object({
  location: code,
  name: z.string().max(200).nullable(),
  /** Whose public holidays hold there, by ISO 3166-1. */
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be the two letters of a country, such as DE')
    .nullable()
    .optional(),
  /** A part of the country with holidays of its own, e.g. `BY`. */
  region: z.string().min(1).max(MAX_REGION_LENGTH).nullable().optional(),
  /** In which its days begin and end; absent or null where the ERP does not say. */
  timeZone: z.string().refine(isTimeZone, TIME_ZONE_RULE).nullable().optional(),
})

export const stockRecord = z.object({
  sku: code,
  location: code,
  onHand: units,
  /** Delivered beyond what was there, where the ERP books that as negative stock; `onHand` is 0 then. */
  backorders: units.optional(),
  /** Stock that cannot be used: in inspection, blocked, in transfer between locations. */
  inInspection: units.optional(),
  blocked: units.optional(),
  inTransit: units.optional(),
})

/** What was on hand at the end of a past day. Pairs that are not named on a day that is had stock. */
export const stockHistoryRecord = z.object({
  sku: code,
  location: code,
  date: demandDay,
  onHand: units,
})

export const openOrderRecord = z.object({
  ...openLine,
  due: day.nullable(),
  /** Reference text of the order, e.g. the number of the proposal that it was made from, `prop_1042`. */
  reference: code.nullable().optional(),
  supplier: code.nullable().optional(),
  /** The day of the order, as its document says. */
  orderedOn: day.nullable().optional(),
  /** The draft that it was made from, by its number, or by `number/line`. */
  draft: draftCode.nullable().optional(),
  /** What a base unit costs in it, less what the line is discounted, in the currency, or in that of the SKU's unit cost. */
  unitCost: money.nullable().optional(),
  currency: currency.nullable().optional(),
  /** The day that the supplier has confirmed, beside `due`, the wanted one; null: none yet, or not known. */
  confirmedOn: day.nullable().optional(),
  /** What of `quantity` the supplier has confirmed; null with a confirmed day: all of it. */
  confirmedQuantity: units.nullable().optional(),
})

/** Of what a buyer has not ordered yet; a contract is nothing that comes: orders call off from it. */
export const DRAFT_KINDS = ['requisition', 'planned_order', 'rfq', 'contract'] as const

/** What lies in the ERP before an order. */
export const draftRecord = z
  .object({
    document: code,
    line: code,
    kind: z.enum(DRAFT_KINDS),
    sku: code,
    /** Empty for a contract of all locations. */
    location: code.or(z.literal('')),
    /** All that was asked for, or agreed. */
    quantity: units,
    /** How much of it the ERP itself says has been ordered; 0 unless it says so. */
    ordered: units.optional(),
    /** When it is wanted; of a contract its last day. */
    due: day.nullable(),
    /** Of a contract its first day. */
    createdOn: day.nullable(),
    supplier: code.nullable().optional(),
    /** What it was made from, e.g. the number of a proposal, `prop_1042`. */
    reference: code.nullable().optional(),
    /** Of a contract: what a base unit costs by it, in the currency, or in that of the SKU's unit cost. */
    unitCost: money.nullable().optional(),
    currency: currency.nullable().optional(),
    /** Of a contract over money, in the currency: what was agreed, and what of it orders have called off. */
    agreedValue: money.nullable().optional(),
    orderedValue: money.nullable().optional(),
  })
  .refine(({ kind, location }) => kind === 'contract' || location !== '', 'must name a location')

/** What came of a purchase order on a day; what is undone or sent back is negative. */
export const receiptRecord = z.object({
  /** The purchase order, as in `openOrderRecord`. */
  document: code,
  /** Tells the receipts of an order apart. */
  receipt: z.string().min(1).max(210),
  line: code,
  sku: code,
  location: code,
  supplier: code.nullable(),
  orderedOn: day.nullable(),
  /** The day that was promised. */
  due: day.nullable(),
  receivedOn: day,
  quantity: units.or(z.number().finite().min(-1e12)),
  reference: code.nullable().optional(),
  draft: draftCode.nullable().optional(),
  /** As in `openOrderRecord`. */
  unitCost: money.nullable().optional(),
})

/** What is not delivered yet of a line of a customer's order. */
export const customerOrderRecord = z.object({
  ...openLine,
  /** When the customer wants it. */
  due: day.nullable(),
})

/** Of the stock on hand, what expires. Stock of which nothing is said never does. */
export const batchRecord = z.object({
  sku: code,
  location: code,
  batch: code,
  /** The last day on which it can be sold. */
  expiresOn: day,
  quantity: units,
})

/** What is promised to production, projects or cost centres and not withdrawn yet. */
export const reservationRecord = z.object({
  ...openLine,
  /** When it is needed. */
  due: day.nullable(),
})

export const planningRecord = z.object({
  sku: code,
  location: code,
  leadTimeDays: days.nullable(),
  reviewPeriodDays: days.min(1).nullable(),
  moq: units.nullable(),
  lotSize: units.positive().nullable(),
  supplier: code.nullable(),
  unitCost: money.nullable(),
  currency: currency.nullable(),
  /** The unit in which the supplier takes orders, and how many base units one of it has; both or none. */
  orderUnit: z.string().max(MAX_UNIT_LENGTH).nullable().optional(),
  unitsPerOrderUnit: units.positive().nullable().optional(),
  /** What one order unit costs, in the currency of the unit cost. */
  orderPrice: money.nullable().optional(),
  /** The supplier's own number of the SKU. */
  supplierSku: code.nullable().optional(),
  /** False: made in house or never bought for this location. Absent means true. */
  purchasable: z.boolean().optional(),
  /** The first day without demand at this location; instead of the SKU's own. */
  phaseOutOn: day.nullable().optional(),
  /** The SKU that is asked for at this location from then on; instead of the SKU's own. */
  successor: code.nullable().optional(),
})

/** What a unit costs in orders from a quantity on, in the currency of the SKU's unit cost. */
export const priceBreakRecord = z.object({
  sku: code,
  /** Empty: at all locations. */
  location: code.or(z.literal('')),
  /** Empty: whoever the supplier is. */
  supplier: code.or(z.literal('')),
  fromQuantity: units.positive(),
  unitCost: money,
})

/** What a supplier asks of an order, in the currency of its lines. */
export const supplierTermsRecord = z.object({
  supplier: code,
  /** Empty: of all locations. */
  location: code.or(z.literal('')),
  minimumOrderValue: money.nullable(),
  minimumOrderQuantity: units.nullable(),
  /** The supplier bears the freight from this value on; below it is `freightCost`. */
  freeFreightFrom: money.nullable(),
  freightCost: money.nullable(),
  /** What an order costs whatever its lines. */
  orderCost: money.nullable(),
  /** True: the order of each location by itself. */
  ordersByLocation: z.boolean().nullable(),
})

/** The first and the last day of what holds always. */
export const ALWAYS = { firstDay: '1970-01-01', lastDay: '2199-12-31' }
/** A closure of more days is a slip. */
export const MAX_CLOSURE_DAYS = 366

/** When a supplier does no work, or a location receives nothing: all days of a period, or some of them. */
export const closureRecord = z
  .object({
    /** Empty: it is a location that is closed. */
    supplier: code.or(z.literal('')),
    location: code.or(z.literal('')),
    firstDay: day,
    lastDay: day,
    /** Only these weekdays of the period, 1 Monday to 7 Sunday, ascending; empty: not by weekdays. */
    restDays: z.string().regex(/^[1-7]{0,6}$/),
    /** Only the public holidays of this country in the period; empty: not by holidays. */
    country: z.string().regex(/^([A-Z]{2})?$/),
    region: z.string().max(MAX_REGION_LENGTH),
    reason: z.string().max(MAX_NAME_LENGTH),
  })
  .refine(
    ({ supplier, location }) => Boolean(supplier) !== Boolean(location),
    'must name a supplier or a location',
  )
  .refine(({ firstDay, lastDay, restDays, country }) => {
    const days = daysBetween(firstDay, lastDay)
    return days >= 1 && (restDays !== '' || country !== '' || days <= MAX_CLOSURE_DAYS)
  }, `must have 1 to ${MAX_CLOSURE_DAYS} days`)

/**
 * Demand of a pair on a day. Where the ERP has documents, each record is one document line, and the
 * day's demand is the sum of its lines; returns and reversals are negative.
 */
export const demandRecord = z.object({
  sku: code,
  location: code,
  date: demandDay,
  quantity: units.or(z.number().finite().min(-1e12)),
  price: z.number().finite().nonnegative().nullable(),
  promo: z.boolean().nullable(),
  /** Number and line of the document, unique within the source; absent where the record is the day's total. */
  document: z.string().min(1).max(60).optional(),
  /** The document line that this one reverses; its quantity counts on that line's day. */
  reversalOf: z.string().min(1).max(60).optional(),
})

/** What one unit of a currency is worth in another, from a day on until the next rate. */
export const exchangeRateRecord = z.object({
  fromCurrency: currency,
  toCurrency: currency,
  validFrom: day,
  rate: z.string().refine(isRate),
})

/** What may be planned of days. */
export const PLAN_KINDS = ['promotion', 'price', 'event', 'holiday', 'closure'] as const

/** The most that a planned event makes of usual demand. */
export const MAX_FACTOR = 100

/** What is planned of some days, and was; an empty selector selects all. */
export const plannedEventRecord = z.object({
  kind: z.enum(PLAN_KINDS),
  sku: code.or(z.literal('')),
  location: code.or(z.literal('')),
  skuGroup: code.or(z.literal('')),
  name: z.string().max(200),
  firstDay: demandDay,
  lastDay: demandDay,
  /** Demand over that of the same days without it; null where the past must tell. */
  factor: z.number().nonnegative().max(MAX_FACTOR).nullable(),
  price: z.number().finite().nonnegative().nullable(),
})

/** The longest period of a forecast of the ERP that Restock's own ones reach. */
export const MAX_PERIOD_DAYS = 90

/**
 * What the ERP itself expects of a pair in a period. Of a period that has begun only what was read before is kept: no
 * forecast is judged by what it said in hindsight.
 */
export const erpForecastRecord = z
  .object({
    sku: code,
    location: code,
    firstDay: demandDay,
    lastDay: demandDay,
    /** Of all days of the period. */
    quantity: units,
  })
  .refine(
    ({ firstDay, lastDay }) => isPeriod(firstDay, lastDay),
    `must have 1 to ${MAX_PERIOD_DAYS} days`,
  )

/** Whether these are the first and the last day of 1 to 90 days. */
export function isPeriod(firstDay: string, lastDay: string): boolean {
  const days = daysBetween(firstDay, lastDay)
  return days >= 1 && days <= MAX_PERIOD_DAYS
}

/** The schema and the natural key of each kind of record. */
export const RECORDS = {
  locations: { schema: locationRecord, key: ['location'] },
  suppliers: { schema: supplierRecord, key: ['supplier'] },
  skus: { schema: skuRecord, key: ['sku'] },
  planning: { schema: planningRecord, key: ['sku', 'location'] },
  priceBreaks: {
    schema: priceBreakRecord,
    key: ['sku', 'location', 'supplier', 'fromQuantity'],
  },
  supplierTerms: { schema: supplierTermsRecord, key: ['supplier', 'location'] },
  closures: {
    schema: closureRecord,
    key: ['supplier', 'location', 'firstDay', 'restDays', 'country'],
  },
  stock: { schema: stockRecord, key: ['sku', 'location'] },
  batches: { schema: batchRecord, key: ['sku', 'location', 'batch'] },
  stockHistory: { schema: stockHistoryRecord, key: ['sku', 'location', 'date'] },
  openOrders: { schema: openOrderRecord, key: ['document', 'line'] },
  drafts: { schema: draftRecord, key: ['document', 'line'] },
  customerOrders: { schema: customerOrderRecord, key: ['document', 'line'] },
  reservations: { schema: reservationRecord, key: ['document', 'line'] },
  receipts: { schema: receiptRecord, key: ['document', 'receipt'] },
  exchangeRates: {
    schema: exchangeRateRecord,
    key: ['fromCurrency', 'toCurrency', 'validFrom'],
  },
  plannedEvents: {
    schema: plannedEventRecord,
    key: ['sku', 'location', 'skuGroup', 'kind', 'firstDay', 'name'],
  },
  erpForecasts: { schema: erpForecastRecord, key: ['sku', 'location', 'firstDay'] },
  demand: { schema: demandRecord, key: ['sku', 'location', 'date'] },
} as const

export type RecordKind = keyof typeof RECORDS
export type RecordOf<K extends RecordKind> = z.infer<(typeof RECORDS)[K]['schema']>
export type AnyRecord = { [K in RecordKind]: RecordOf<K> }[RecordKind]
