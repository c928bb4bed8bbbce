import {
  type OpenLine,
  orderGoals,
  orderSuggestions,
} from '../../../engine/proposal/order-goals.ts'

interface Line extends OpenLine {
  name: string
}

const line = (name: string, isChosen: boolean, value: number, risk: number, units = 10): Line => ({
  ...{ name, isChosen, value, valueAtRisk: risk, quantity: units },
})

const told = (lines: Line[], limits: Parameters<typeof orderSuggestions>[1]) =>
  orderSuggestions(lines, limits).map(({ action, why, lines, isEnough }) => [
    ...[action, why, lines.map(({ name }) => name).join(), isEnough],
  ])

it('holds what is chosen against minimums, free freight and containers', () => {
  const lines = [line('a', true, 300, 50, 30), line('b', false, 900, 9)]
  const limits = {
    ...{ minimumValue: 500, minimumQuantity: 20, containerUnits: 25 },
    freeFreight: { from: 1000, cost: 60 },
  }
  expect(orderGoals(lines, limits)).toEqual([
    { kind: 'minimum_value', required: 500, reached: 300, missing: 200, containers: null },
    { kind: 'minimum_quantity', required: 20, reached: 30, missing: 0, containers: null },
    { kind: 'free_freight', required: 1000, reached: 300, missing: 700, containers: null },
    { kind: 'container', required: 50, reached: 30, missing: 20, containers: 2 },
  ])
  expect(orderGoals(lines, {})).toEqual([])
})

it('adds what protects most for its money until the goal is reached', () => {
  const lines = [
    line('chosen', true, 300, 50),
    line('dear', false, 400, 20),
    line('useful', false, 100, 30),
    line('next', false, 150, 20),
    line('costless', false, 0, 5),
  ]
  expect(told(lines, { minimumValue: 500 })).toEqual([
    ['add', 'minimum_value', 'useful,next', true],
  ])
  expect(told(lines, { minimumValue: 5000 })).toEqual([
    ['add', 'minimum_value', 'useful,next,dear', false],
  ])
  expect(told(lines, { minimumValue: 300 })).toEqual([])
  expect(told(lines.slice(0, 1), { minimumValue: 500 })).toEqual([])
})

it('fills a container with what fits, or sends one less', () => {
  const lines = [
    line('a', true, 100, 50, 30),
    line('b', true, 100, 5, 12),
    line('big', false, 100, 90, 40),
    line('small', false, 100, 9, 18),
  ]
  // 42 units are two containers of 30: 18 fit into the second, 12 are in it.
  expect(told(lines, { containerUnits: 30 })).toEqual([
    ['add', 'container', 'small', true],
    ['drop', 'container', 'b', true],
  ])
  expect(told(lines, { containerUnits: 30, minimumQuantity: 35 })).toEqual([
    ['add', 'container', 'small', true],
  ])
})

it('drops what costs nothing to wait with, as long as no minimum is lost', () => {
  const lines = [line('a', true, 300, 50), line('idle', true, 100, 0), line('less', true, 50, -3)]
  expect(told(lines, {})).toEqual([['drop', 'waiting', 'less,idle', true]])
  expect(told(lines, { minimumValue: 400 })).toEqual([['drop', 'waiting', 'less', true]])
  expect(told(lines, { freeFreight: { from: 450, cost: 9 } })).toEqual([])
  expect(told([line('only', true, 10, 0)], {})).toEqual([])
})
