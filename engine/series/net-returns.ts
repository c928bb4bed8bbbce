/**
 * Takes each negative quantity off the sales of its day and those before it, the latest first, in
 * place; what no sale is left for is dropped.
 * @param quantities of one pair, by day, ascending
 */
export function netReturns(quantities: Float64Array): void {
  for (let day = 0; day < quantities.length; day++) {
    let returned = -Math.min(0, quantities[day]!)
    if (returned === 0) continue
    quantities[day] = 0
    for (let sale = day - 1; sale >= 0 && returned > 0; sale--) {
      const taken = Math.min(returned, quantities[sale]!)
      quantities[sale]! -= taken
      returned -= taken
    }
  }
}
