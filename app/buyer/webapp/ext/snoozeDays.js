// Until when to snooze: the days that are asked for most, one press each, and what waiting until the chosen one costs.
sap.ui.define(
  ['sap/m/Button', 'sap/m/FlexBox', 'sap/m/Text', 'sap/ui/core/format/DateFormat', './sums'],
  (Button, FlexBox, Text, DateFormat, sums) => {
    const DAY_MS = 86_400_000
    const iso = DateFormat.getDateInstance({ pattern: 'yyyy-MM-dd' })

    const inDays = (days) => {
      const today = new Date()
      return new Date(today.getFullYear(), today.getMonth(), today.getDate() + days)
    }

    /** Days until the next Monday, which is not today. */
    const untilMonday = () => (8 - new Date().getDay()) % 7 || 7

    const intervalOf = ({ reviewPeriodDays }) => Math.max(1, Number(reviewPeriodDays) || 1)

    /** The first order after today's of any of them. */
    const untilNextOrder = (rows) => Math.min(...rows.map(intervalOf))

    /** The cost of waiting is that of an interval between orders: a part of it costs a part. */
    const waitingFor = (rows, days) =>
      rows
        .filter(({ valueAtRisk }) => valueAtRisk != null)
        .map((row) => ({
          currency: row.currency,
          value: (Math.max(0, Number(row.valueAtRisk)) * days) / intervalOf(row),
        }))

    /** @param picker the field of the day @returns what stands below it */
    return function snoozeDays(bundle, rows, picker) {
      const cost = new Text()
      const tell = () => {
        const day = picker.isValidValue() ? picker.getDateValue() : null
        const days = day ? Math.round((day.getTime() - inDays(0).getTime()) / DAY_MS) : 0
        const known = days > 0 ? waitingFor(rows, days) : []
        const text = known.length
          ? bundle.getText('snoozeCost', [
              DateFormat.getDateInstance({ style: 'medium' }).format(day),
              sums.moneyOf(known),
            ])
          : ''
        cost.setText(text).setVisible(text !== '')
      }
      const choices = [
        ['snoozeTomorrow', 1],
        ['snoozeMonday', untilMonday()],
        ['snoozeNextOrder', untilNextOrder(rows)],
      ]
      const buttons = choices.map(
        ([key, days]) =>
          new Button({
            text: bundle.getText(key),
            press() {
              picker.setValue(iso.format(inDays(days))).fireChange({ valid: true })
            },
          }),
      )
      picker.attachChange(tell)
      tell()
      const box = new FlexBox({ wrap: 'Wrap', renderType: 'Bare', items: buttons })
      return [box.addStyleClass('restockSnoozeDays'), cost]
    }
  },
)
