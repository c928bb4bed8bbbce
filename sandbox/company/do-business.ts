import type { Company } from './company.ts'

/** A day goes by: a fifth of all pairs sell, orders arrive and are made, items change. */
export function doBusiness(company: Company): void {
  company.clock.advance(1)
  const { pairs, orders, items, suppliers } = company
  for (let at = 0; at < pairs.length; at += 5) company.sell(pairs[at]!, 1 + (at % 4))
  const open = orders.filter(({ status }) => status === 'open')
  for (let at = 0; at < open.length; at += 20) {
    const [line] = open[at]!.lines
    if (line && !line.isClosed) company.receive(open[at]!, line, 1)
  }
  for (let at = 0; at < pairs.length; at += 100) {
    const pair = pairs[at]!
    company.order(suppliers[0]!, [{ pair, quantity: pair.item.moq, dueInDays: 10 }])
  }
  for (let at = 0; at < items.length; at += 250)
    company.changeItem(items[at]!, { name: `New ${at}` })
}
