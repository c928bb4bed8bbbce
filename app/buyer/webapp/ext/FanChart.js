// Demand of past weeks, demand and stock of weeks ahead with their range, today, arrival and stockout.
sap.ui.define(
  [
    'sap/ui/core/Control',
    'sap/ui/core/format/DateFormat',
    'sap/ui/core/format/NumberFormat',
    './chartWords',
    './plot',
    './Week',
  ],
  (Control, DateFormat, NumberFormat, words, { plot, dayOf, dateOf }) => {
    const HEIGHT = 340
    const LEAST_WIDTH = 280
    /** Room for a day's name on the axis, in pixels. */
    const LABEL = 64
    const PAST_WEEKS = 12
    const MARK = 8
    /** Each kind has a shape of its own, so that nobody has to tell colours apart; around the middle of a mark. */
    const SHAPES = {
      promoted: 'M-1.5-5H1.5V-1.5H5V1.5H1.5V5H-1.5V1.5H-5V-1.5H-1.5Z',
      outOfStock: 'M-4-4H4V4H-4Z',
      closed: 'M0-5L5 0L0 5L-5 0Z',
      outliers: 'M0-5L5 4H-5Z',
      returns: 'M-4 0A4 4 0 1 0 4 0A4 4 0 1 0-4 0Z',
    }

    const days = () => DateFormat.getDateInstance({ format: 'MMMd', UTC: true })
    const units = () => NumberFormat.getFloatInstance({ maxFractionDigits: 0, style: 'short' })
    const isAdjusted = ({ demandBefore }) => demandBefore !== null
    const round = (value) => Math.round(value * 10) / 10

    const FanChart = Control.extend('restock.buyer.ext.FanChart', {
      metadata: {
        properties: {
          unit: { type: 'string' },
          /** Whether the past year is shown, and not the past quarter alone. */
          isLong: { type: 'boolean', defaultValue: false },
          onHand: { type: 'any', defaultValue: null },
          /** Days from today to the arrival of an order of today. */
          leadTimeDays: { type: 'any', defaultValue: null },
        },
        aggregations: { weeks: { type: 'restock.buyer.ext.Week', multiple: true } },
        defaultAggregation: 'weeks',
      },
      renderer: {
        apiVersion: 2,
        render(rm, chart) {
          rm.openStart('div', chart).class('restockFan').openEnd()
          chart.draw(rm)
          rm.close('div')
        },
      },

      onAfterRendering() {
        this.stopWatching()
        this.watcher = new ResizeObserver(() => this.fit())
        this.watcher.observe(this.getDomRef())
        this.listen()
        // The first time the width is not known before.
        this.fit()
      },

      listen() {
        const slider = this.getDomRef().querySelector('[role=slider]')
        if (!slider) return
        slider.onpointermove = ({ clientX }) => this.showWeek(this.weekAt(clientX))
        slider.onpointerleave = () => this.showWeek(null)
        slider.onblur = () => this.showWeek(null)
        slider.onkeydown = (event) => {
          const last = this.weeks.length - 1
          const now = this.week ?? this.weeks.findIndex(({ isForecast }) => isForecast) - 1
          const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key]
          if (next === undefined) return
          event.preventDefault()
          this.showWeek(Math.min(last, Math.max(0, next)))
        }
      },

      weekAt(clientX) {
        const { left, width } = this.getDomRef().querySelector('svg').getBoundingClientRect()
        const { x } = this.place
        const at = ((clientX - left) * this.width) / width
        const found = this.weeks.findIndex(({ date }) => at < x(dayOf(date) + 1))
        return found < 0 || at < this.place.inner.left ? null : found
      },

      /** What a week has, in words, and where it is. @param at its place in the chart; null for none */
      showWeek(at) {
        this.week = at
        const week = at === null ? undefined : this.weeks[at]
        const [slider, cursor, readout] = ['[role=slider]', '.cursor', '.restockFanReadout'].map(
          (name) => this.getDomRef().querySelector(name),
        )
        const text = week
          ? words.ofWeek(this.bundle, week, this.getUnit())
          : this.text('chartPoint')
        readout.textContent = text
        slider.setAttribute('aria-valuenow', at ?? 0)
        slider.setAttribute('aria-valuetext', text)
        const [from, to] = week
          ? [-6, 1].map((days) => this.place.x(dayOf(week.date) + days))
          : [0, 0]
        cursor.setAttribute('x', round(from))
        cursor.setAttribute('width', round(to - from))
      },

      /** A page that is hidden has no width: what was drawn there stays as it is. */
      fit() {
        const width = this.getDomRef()?.clientWidth
        if (width && Math.abs(Math.max(LEAST_WIDTH, width) - this.width) > 4) this.invalidate()
      },

      stopWatching() {
        this.watcher?.disconnect()
      },

      exit() {
        this.stopWatching()
      },

      text(key, values) {
        return this.bundle.getText(key, values)
      },

      /** Texts come when they are loaded. */
      hasTexts() {
        if (this.bundle) return true
        Promise.resolve(this.getModel('i18n')?.getResourceBundle()).then((bundle) => {
          this.bundle = bundle
          if (bundle) this.invalidate()
        })
        return false
      },

      draw(rm) {
        if (!this.hasTexts()) return
        this.width = Math.max(LEAST_WIDTH, this.getDomRef()?.clientWidth || this.width || 800)
        const all = this.getWeeks().map((week) => week.mProperties)
        if (!all.length) return this.say(rm, 'chartEmpty')
        const past = all.filter(({ isForecast }) => !isForecast)
        const weeks = this.getIsLong() ? all : all.slice(Math.max(0, past.length - PAST_WEEKS))
        const [onHand, leadTimeDays] = [this.getOnHand(), this.getLeadTimeDays()]
        const place = plot(weeks, { onHand, leadTimeDays }, this.width, HEIGHT)
        Object.assign(this, { weeks, place, week: null })
        this.legend(rm, place, weeks)
        rm.openStart('p').class('restockFanReadout').attr('aria-hidden', 'true').openEnd()
        rm.text(this.text('chartPoint')).close('p')
        rm.openStart('div').attr('role', 'slider').attr('tabindex', 0)
        rm.attr('aria-label', `${this.summary(place)} ${this.text('chartPoint')}`)
        rm.attr('aria-valuemin', 0).attr('aria-valuemax', weeks.length - 1)
        rm.attr('aria-valuenow', 0).attr('aria-valuetext', this.text('chartPoint')).openEnd()
        rm.openStart('svg')
          .attr('viewBox', `0 0 ${this.width} ${HEIGHT}`)
          .attr('width', this.width)
          .attr('height', HEIGHT)
          .attr('role', 'img')
          .attr('aria-label', this.summary(place))
          .openEnd()
        this.rect(rm, 'cursor', { x: 0, y: place.inner.top, width: 0 }, place.inner.bottom)
        this.axes(rm, place)
        this.bars(rm, weeks, place)
        this.marks(rm, weeks, place)
        this.before(rm, weeks.filter(isAdjusted), place)
        this.fan(rm, place)
        this.markers(rm, place)
        rm.close('svg').close('div')
        const promotions = words.ofPromotions(this.bundle, all)
        if (promotions) rm.openStart('p').openEnd().text(promotions).close('p')
      },

      say(rm, key) {
        rm.openStart('p').openEnd().text(this.text(key)).close('p')
      },

      summary({ empty, lines }) {
        if (empty === null) return this.text('chartLasts')
        const key = lines.stockWithOrder.length ? 'chartRunsOut' : 'chartRunsOutAlone'
        return this.text(key, [days().format(dateOf(empty))])
      },

      legend(rm, { lines }, weeks) {
        const keys = ['demand', 'expected']
        if (weeks.some(isAdjusted)) keys.push('before')
        if (lines.stockWithOrder.length) keys.push('stock', 'range', 'withOrder')
        else if (lines.stockP50.length) keys.push('stockAlone', 'range')
        keys.push(...words.MARKS.filter((kind) => weeks.some((week) => week[kind] > 0)))
        rm.openStart('ul').class('restockFanLegend').attr('aria-hidden', 'true').openEnd()
        for (const key of keys) {
          rm.openStart('li').class(`restockFan-${key}`).openEnd()
          rm.text(this.text(`chart-${key}`)).close('li')
        }
        rm.close('ul')
      },

      axes(rm, { ticks, inner, y, x, first, last }) {
        const format = units()
        for (const value of ticks) {
          this.line(rm, value === 0 ? 'zero' : 'grid', inner.left, y(value), inner.right, y(value))
          this.label(rm, inner.left - 6, y(value) + 4, format.format(value), 'end')
        }
        this.label(rm, 0, inner.top - 14, this.getUnit() || this.text('chartUnits'), 'start')
        const weekWidth = x(7) - x(0)
        const step = 7 * Math.max(2, 2 * Math.ceil(LABEL / weekWidth / 2))
        for (let day = first; day < last - 7; day += step) {
          this.label(rm, x(day), inner.bottom + 18, days().format(dateOf(day)), 'start')
        }
      },

      /** Of a week of which a part is known only that part, paler. */
      bars(rm, weeks, { x, y }) {
        for (const { date, isForecast, demand, days, demandP10, demandP90 } of weeks) {
          const end = dayOf(date) + 1
          const value = Math.max(0, demand ?? 0)
          const part = days !== null && days < 7 ? ' part' : ''
          const box = { x: x(end - 7) + 2, y: y(value) }
          const width = Math.max(1, x(end) - x(end - 7) - 4)
          this.rect(rm, isForecast ? 'expected' : `demand${part}`, { ...box, width }, y(0))
          const middle = (x(end - 7) + x(end)) / 2
          if (isForecast && demandP90 > demandP10)
            this.line(rm, 'whisker', middle, y(demandP10), middle, y(demandP90))
        }
      },

      /** What the forecast alone says of weeks for which planners say something else. */
      before(rm, weeks, { x, y }) {
        for (const { date, demandBefore } of weeks) {
          const end = dayOf(date) + 1
          this.line(rm, 'before', x(end - 7) + 2, y(demandBefore), x(end) - 2, y(demandBefore))
        }
      },

      /** A mark a kind of days, one above the other on the week's bar. */
      marks(rm, weeks, { x, y, inner }) {
        for (const week of weeks) {
          const end = dayOf(week.date) + 1
          const middle = (x(end - 7) + x(end)) / 2
          const bar = y(Math.max(0, week.demand ?? 0))
          words.MARKS.filter((kind) => week[kind] > 0).forEach((kind, at) => {
            const top = Math.max(inner.top, bar - (at + 1) * (MARK + 4))
            rm.openStart('path')
              .attr('class', `cleaned ${kind}`)
              .attr('d', SHAPES[kind])
              .attr('transform', `translate(${round(middle)} ${round(top + MARK / 2)})`)
              .openEnd()
            rm.openStart('title').openEnd()
            rm.text(`${this.text(`chart-${kind}`)}: ${week[kind]}`).close('title')
            rm.close('path')
          })
        }
      },

      fan(rm, { lines, x, y }) {
        if (!lines.stockP50.length) return
        const points = (line) => line.map(([day, value]) => `${round(x(day))},${round(y(value))}`)
        const band = [...points(lines.stockP90), ...points(lines.stockP10).reverse()]
        rm.openStart('polygon').class('range').attr('points', band.join(' ')).openEnd()
        rm.close('polygon')
        for (const [name, style] of [
          ['stockP50', 'stock'],
          ['stockWithOrder', 'withOrder'],
        ]) {
          if (!lines[name].length) continue
          rm.openStart('polyline').class(style).attr('points', points(lines[name]).join(' '))
          rm.openEnd().close('polyline')
        }
      },

      markers(rm, { today, isOrdered, inner, x, empty, last }) {
        const mark = (day, key, row) => {
          if (day > last) return
          this.line(rm, `marker ${key}`, x(day), inner.top - 52 + row * 15, x(day), inner.bottom)
          const anchor = x(day) > inner.right - 90 ? 'end' : 'start'
          const shift = anchor === 'end' ? -4 : 4
          const date = key === 'today' ? '' : ` ${days().format(dateOf(day))}`
          const name = `${this.text(`chart-${key}`)}${date}`
          this.label(rm, x(day) + shift, inner.top - 44 + row * 15, name, anchor)
        }
        mark(today, 'today', 0)
        const leadTime = isOrdered ? this.getLeadTimeDays() : null
        const arrival = today + leadTime
        if (leadTime !== null) mark(arrival, 'arrival', 1)
        if (leadTime !== null && arrival > last) {
          const later = this.text('chart-arrivalLater', [days().format(dateOf(arrival))])
          this.label(rm, inner.right, inner.top - 29, `${later} →`, 'end')
        }
        if (empty !== null) mark(empty, 'empty', 2)
      },

      /** @param bottom where it ends */
      rect(rm, style, { x, y, width }, bottom) {
        rm.openStart('rect').attr('class', style)
        for (const [name, value] of Object.entries({ x, y, width, height: bottom - y }))
          rm.attr(name, round(value))
        rm.openEnd().close('rect')
      },

      line(rm, style, x1, y1, x2, y2) {
        rm.openStart('line').attr('class', style)
        for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) rm.attr(name, round(value))
        rm.openEnd().close('line')
      },

      label(rm, x, y, text, anchor) {
        rm.openStart('text').attr('x', round(x)).attr('y', round(y)).attr('text-anchor', anchor)
        rm.openEnd().text(text).close('text')
      },
    })

    /** For the box above it. */
    FanChart.onYear = (event) => {
      const chart = event
        .getSource()
        .getParent()
        .getItems()
        .find((each) => each.isA('restock.buyer.ext.FanChart'))
      chart.setIsLong(event.getParameter('selected'))
    }

    return FanChart
  },
)
