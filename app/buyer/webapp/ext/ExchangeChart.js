// An exchange curve: share of demand from stock over the value of that stock, with points marked on it.
sap.ui.define(
  ['sap/ui/core/Control', 'sap/ui/core/format/NumberFormat'],
  (Control, NumberFormat) => {
    const HEIGHT = 340
    const LEAST_WIDTH = 280
    const MARGIN = { top: 16, right: 24, bottom: 40, left: 56 }
    const TICKS = 5
    /** Each mark has a shape of its own, so that nobody has to tell colours apart. */
    const SHAPES = {
      today: 'M-6 0A6 6 0 1 0 6 0A6 6 0 1 0-6 0Z',
      rules: 'M-5-5H5V5H-5Z',
      asked: 'M0-7L7 0L0 7L-7 0Z',
      spread: 'M0-7L7 6H-7Z',
    }
    const round = (value) => Math.round(value * 10) / 10

    /** Round steps that hold all values. */
    function ticksOf(low, high) {
      const raw = Math.max(high - low, 1e-9) / TICKS
      const power = 10 ** Math.floor(Math.log10(raw))
      const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10)
      const [from, to] = [Math.floor(low / step) * step, Math.ceil(high / step) * step]
      return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, at) => from + at * step)
    }

    return Control.extend('restock.buyer.ext.ExchangeChart', {
      metadata: {
        properties: {
          /** {points: [{at: [money, percent], text}], marks: [{key, at, text}], budget, currency, summary, curveText, budgetText} */
          shown: { type: 'any', defaultValue: null },
        },
      },
      renderer: {
        apiVersion: 2,
        render(rm, chart) {
          rm.openStart('div', chart).class('restockExchange').openEnd()
          if (chart.getShown()?.points.length) chart.draw(rm)
          rm.close('div')
        },
      },

      onAfterRendering() {
        this.watcher?.disconnect()
        this.watcher = new ResizeObserver(() => this.fit())
        this.watcher.observe(this.getDomRef())
        this.fit()
      },
      /** A page that is hidden has no width: what was drawn there stays as it is. */
      fit() {
        const width = this.getDomRef()?.clientWidth
        if (width && Math.abs(Math.max(LEAST_WIDTH, width) - this.width) > 4) this.invalidate()
      },
      exit() {
        this.watcher?.disconnect()
      },

      draw(rm) {
        this.width = Math.max(LEAST_WIDTH, this.getDomRef()?.clientWidth || this.width || 800)
        const { points, marks, budget, currency, summary } = this.getShown()
        const all = [...points, ...marks].map(({ at }) => at)
        const xs = ticksOf(0, Math.max(...all.map(([money]) => money), budget ?? 0))
        const ys = ticksOf(Math.min(...all.map(([, share]) => share)), 100)
        const place = this.placing(xs, ys)
        this.legend(rm, this.getShown())
        rm.openStart('svg').attr('viewBox', `0 0 ${this.width} ${HEIGHT}`)
        rm.attr('width', this.width).attr('height', HEIGHT).attr('role', 'img')
        rm.attr('aria-label', summary).openEnd()
        this.axes(rm, place, { xs, ys, currency })
        if (budget)
          this.line(rm, 'budget', place.x(budget), place.top, place.x(budget), place.bottom)
        const path = points.map(({ at: [money, share] }) => `${place.x(money)},${place.y(share)}`)
        rm.openStart('polyline').class('curve').attr('points', path.join(' ')).openEnd()
        rm.close('polyline')
        this.dots(rm, points, place)
        for (const { key, at, text } of marks) this.mark(rm, key, at, text, place)
        rm.close('svg')
      },

      placing(xs, ys) {
        const [left, right] = [MARGIN.left, this.width - MARGIN.right]
        const [top, bottom] = [MARGIN.top, HEIGHT - MARGIN.bottom]
        const between = (ticks, from, to) => (value) =>
          round(from + ((value - ticks[0]) / (ticks.at(-1) - ticks[0] || 1)) * (to - from))
        return {
          ...{ left, right, top, bottom },
          x: between(xs, left, right),
          y: between(ys, bottom, top),
        }
      },

      legend(rm, { marks, budget, curveText, budgetText }) {
        const keys = [
          ['curve', curveText],
          ...marks.map(({ key, text }) => [key, text]),
          ...(budget ? [['budget', budgetText]] : []),
        ]
        rm.openStart('ul').class('restockFanLegend').attr('aria-hidden', 'true').openEnd()
        for (const [key, text] of keys)
          rm.openStart('li').class(`restockExchange-${key}`).openEnd().text(text).close('li')
        rm.close('ul')
      },

      axes(rm, { x, y, left, right, bottom }, { xs, ys, currency }) {
        const short = NumberFormat.getFloatInstance({ style: 'short', maxFractionDigits: 1 })
        for (const value of ys) {
          this.line(rm, 'grid', left, y(value), right, y(value))
          this.label(rm, left - 8, y(value) + 4, `${round(value)} %`, 'end')
        }
        xs.forEach((value, at) => {
          // A phone has room for every second one.
          if (this.width < 480 && at % 2) return
          const unit = at === xs.length - 1 || (this.width < 480 && at + 2 > xs.length - 1)
          this.label(
            rm,
            x(value),
            bottom + 20,
            unit ? `${short.format(value)} ${currency}` : short.format(value),
            unit ? 'end' : 'middle',
          )
        })
      },

      /** Names where there is room between them. */
      dots(rm, points, { x, y }) {
        let last = -Infinity
        for (const { at, text } of points) {
          const [left, top] = [x(at[0]), y(at[1])]
          rm.openStart('circle')
            .class('dot')
            .attr('cx', left)
            .attr('cy', top)
            .attr('r', 3)
            .openEnd()
          rm.close('circle')
          if (left - last < 34) continue
          last = left
          this.label(rm, left + 4, top + 16, text, 'start')
        }
      },

      mark(rm, key, [money, share], text, { x, y }) {
        rm.openStart('path').class(key).attr('d', SHAPES[key])
        rm.attr('transform', `translate(${x(money)} ${y(share)})`).openEnd()
        rm.openStart('title').openEnd().text(text).close('title')
        rm.close('path')
      },

      line(rm, style, x1, y1, x2, y2) {
        rm.openStart('line').class(style)
        for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) rm.attr(name, value)
        rm.openEnd().close('line')
      },

      label(rm, x, y, text, anchor) {
        rm.openStart('text').attr('x', x).attr('y', y).attr('text-anchor', anchor)
        rm.openEnd().text(text).close('text')
      },
    })
  },
)
