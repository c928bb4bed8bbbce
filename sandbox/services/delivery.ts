// API_OUTBOUND_DELIVERY_SRV;v=0002: the deliveries behind the goods issues of type 601.
import { DAY_MS } from '../clock.ts'
import { hull } from '../odata/intervals.ts'
import { decimal } from '../world/decimal.ts'
import { ISSUE_LINES } from '../world/day-ledger.ts'
import { endOf, toMs } from '../world/days.ts'
import { FIRST_DELIVERY } from '../world/world.ts'
import { postingDay } from './documents.ts'
import { fieldMap } from './fields.ts'
import { issueType } from './item-facts.ts'
import type { EntitySet, Rows, Value } from '../odata/set.ts'
import type { World } from '../world/world.ts'

export function deliveries(world: World): EntitySet[] {
  return [headerSet(world), itemSet(world)]
}

const size = (world: World) => world.issuesBefore(world.clock.today() - world.start)

function headerSet(world: World): EntitySet {
  return {
    name: 'A_OutbDeliveryHeader',
    type: 'A_OutbDeliveryHeaderType',
    keys: ['DeliveryDocument'],
    fields: fieldMap(
      {
        String:
          'DeliveryDocument DeliveryDocumentType OverallGoodsMovementStatus OverallSDProcessStatus ' +
          'ShipToParty SoldToParty ReceivingPlant CreatedByUser ShippingPoint',
        DateTime:
          'ActualGoodsMovementDate PlannedGoodsIssueDate CreationDate LastChangeDate DocumentDate',
      },
      { sortable: false },
    ),
    navigations: {},
    size: () => size(world),
    open() {
      const facts = new DeliveryFacts(world)
      const values: Record<string, () => Value> = {
        DeliveryDocument: () => facts.number,
        DeliveryDocumentType: () => 'LF',
        OverallGoodsMovementStatus: () => (facts.cancelledOn === null ? 'C' : 'A'),
        OverallSDProcessStatus: () => (facts.cancelledOn === null ? 'C' : 'B'),
        ShipToParty: () => '0001000042',
        SoldToParty: () => '0001000042',
        ShippingPoint: () => '1010',
        CreatedByUser: () => 'BUYER01',
        ActualGoodsMovementDate: () => (facts.cancelledOn === null ? toMs(facts.posting) : null),
        PlannedGoodsIssueDate: () => toMs(facts.posting),
        DocumentDate: () => toMs(facts.day),
        CreationDate: () => toMs(facts.day),
        LastChangeDate: () => facts.changed(),
      }
      return {
        load: (slot) => facts.load(slot),
        value: (field) => values[field] ?? (() => ''),
      }
    },
    ranges(intervals) {
      const [low, high] = hull(intervals('CreationDate'))
      const days = world.clock.today() - world.start
      const from = typeof low === 'number' ? Math.floor(low / DAY_MS) - world.start : 0
      const to = typeof high === 'number' ? Math.floor(high / DAY_MS) - world.start + 1 : days
      const clamp = (day: number) => world.issuesBefore(Math.min(Math.max(day, 0), days))
      return [[clamp(from), clamp(to)]]
    },
  }
}

function itemSet(world: World): EntitySet {
  return {
    name: 'A_OutbDeliveryItem',
    type: 'A_OutbDeliveryItemType',
    keys: ['DeliveryDocument', 'DeliveryDocumentItem'],
    fields: fieldMap(
      {
        String:
          'DeliveryDocument DeliveryDocumentItem Material Plant StorageLocation Batch BaseUnit ' +
          'DeliveryQuantityUnit GoodsMovementStatus GoodsMovementType ReferenceSDDocument ' +
          'ReferenceSDDocumentItem DeliveryDocumentItemCategory InventorySpecialStockType',
        Decimal:
          'ActualDeliveredQtyInBaseUnit ActualDeliveryQuantity DeliveryToBaseQuantityNmrtr ' +
          'DeliveryToBaseQuantityDnmntr',
        DateTime: 'CreationDate LastChangeDate',
      },
      { sortable: false },
    ),
    navigations: {},
    size: () => size(world) * ISSUE_LINES,
    open: () => openItems(world),
  }
}

function openItems(world: World): Rows {
  const facts = new DeliveryFacts(world)
  const { pairs, demand } = world
  let line = 0
  let pair = 0
  let milli = 0
  const unit = () => world.baseUnits[pairs.skuOf(pair)]!
  const values: Record<string, () => Value> = {
    DeliveryDocument: () => facts.number,
    DeliveryDocumentItem: () => String((line + 1) * 10).padStart(6, '0'),
    Material: () => pairs.codes[pairs.skuOf(pair)]!,
    Plant: () => pairs.plantCodes[pairs.plantOf(pair)]!,
    StorageLocation: () => '101A',
    BaseUnit: unit,
    DeliveryQuantityUnit: unit,
    GoodsMovementStatus: () => (facts.cancelledOn === null ? 'C' : 'A'),
    GoodsMovementType: () => '601',
    ReferenceSDDocument: () => '0000004712',
    ReferenceSDDocumentItem: () => '000010',
    DeliveryDocumentItemCategory: () => 'TAN',
    ActualDeliveredQtyInBaseUnit: () => decimal(milli),
    ActualDeliveryQuantity: () => decimal(milli),
    DeliveryToBaseQuantityNmrtr: () => '1',
    DeliveryToBaseQuantityDnmntr: () => '1',
    CreationDate: () => toMs(facts.day),
    LastChangeDate: () => facts.changed(),
  }
  return {
    load(slot) {
      line = slot % ISSUE_LINES
      if (!facts.load(Math.floor(slot / ISSUE_LINES))) return false
      const index = facts.doc * ISSUE_LINES + line
      const plan = demand.day(facts.day)
      if (index >= plan.lines) return false
      pair = demand.pairOfLine(plan, index)
      milli = demand.quantity(plan, facts.day, index, pair)
      return true
    },
    value: (field) => values[field] ?? (() => ''),
  }
}

class DeliveryFacts {
  readonly #world: World
  readonly #today: number
  number = ''
  day = 0
  doc = 0
  posting = 0
  /** The day on which the goods issue was reversed. */
  cancelledOn: number | null = null

  constructor(world: World) {
    this.#world = world
    this.#today = world.clock.today()
  }

  /** False for the goods issues without a delivery. */
  load(slot: number): boolean {
    const { start } = this.#world
    this.number = `00${FIRST_DELIVERY + slot}`
    let low = this.#issuesBefore(this.day - start) <= slot ? this.day - start : 0
    let high = this.#today - start
    if (this.day && this.#issuesBefore(low + 1) > slot) high = low + 1
    while (low + 1 < high) {
      const middle = (low + high) >> 1
      if (this.#issuesBefore(middle) <= slot) low = middle
      else high = middle
    }
    this.day = start + low
    this.doc = slot - this.#issuesBefore(low)
    this.posting = postingDay(this.#world, this.day, this.doc)
    const lag = this.#world.ledgers.cancelLag(this.day, this.doc)
    this.cancelledOn = lag !== null && this.day + lag < this.#today ? this.day + lag : null
    return issueType(this.day, this.doc) === '601'
  }

  #issuesBefore(days: number): number {
    return days < 0 ? 0 : this.#world.issuesBefore(days)
  }

  /** The last change is a day without a time. */
  changed(): number {
    return Math.floor(endOf(this.cancelledOn ?? this.day) / DAY_MS) * DAY_MS
  }
}
