// Coverage and bias month by month, each beside its aim; what was replayed is dashed.
sap.ui.define(
  ['sap/ui/core/Control', 'sap/ui/core/format/NumberFormat', './QualityMonth'],
  (Control, NumberFormat) => {
    const LEAST_WIDTH = 280
    const PANEL = { height: 150, top: 26, gap: 18 }
    const MARGIN = { left: 44, right: 16, bottom: 24 }
    const LABEL_WIDTH = 72
    const KINDS = ['replayed', 'given']
    const COVERAGE_AIM = 80
    /** What the panels show at least: coverage from here on, bias up to here on both sides. */
    const [LOW_COVERAGE, LEAST_BIAS] = [50, 20]

    const round = (value) => Math.round(value * 10) / 10

    return Control.extend('restock.admin.ext.QualityChart', {
      metadata: {
        aggregations: { months: { type: 'restock.admin.ext.QualityMonth', multiple: true } },
        defaultAggregation: 'months',
      },
      renderer: {
        apiVersion: 2,
        render(rm, chart) {
          rm.openStart('div', chart).class('restockQuality').openEnd()
          chart.draw(rm)
          rm.close('div')
        },
      },

      onAfterRendering() {
        this.watcher?.disconnect()
        this.watcher = new ResizeObserver(() => this.fit())
        this.watcher.observe(this.getDomRef())
        // The first time the width is not known before.
        this.fit()
      },

      fit() {
        const width = this.getDomRef()?.clientWidth
        if (width && Math.abs(width - this.width) > 4) this.invalidate()
      },

      exit() {
        this.watcher?.disconnect()
      },

      /** UI5 calls this when the months have come; that there is none would change nothing by itself. */
      updateMonths(...change) {
        this.updateAggregation('months', ...change)
        this.invalidate()
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
        const binding = this.getBinding('months')
        if (!this.hasTexts() || !binding?.isLengthFinal()) return
        const months = this.getMonths().map((month) => month.mProperties)
        if (!months.length) {
          rm.openStart('p').openEnd().text(this.bundle.getText('qualityEmpty')).close('p')
          return
        }
        this.width = Math.max(LEAST_WIDTH, this.getDomRef()?.clientWidth ?? 800)
        const height = 2 * (PANEL.top + PANEL.height) + PANEL.gap + MARGIN.bottom
        this.legend(rm, months)
        rm.openStart('svg')
          .attr('viewBox', `0 0 ${this.width} ${height}`)
          .attr('width', this.width)
          .attr('height', height)
          .attr('role', 'img')
          .attr('aria-label', this.summary(months.at(-1)))
          .openEnd()
        const x = this.places(months)
        const low = months.some(({ coverage }) => coverage < LOW_COVERAGE) ? 0 : LOW_COVERAGE
        this.panel(rm, months, x, 0, { name: 'coverage', aim: COVERAGE_AIM, low, high: 100 })
        const most = Math.max(LEAST_BIAS, ...months.map(({ bias }) => Math.abs(bias ?? 0)))
        const half = Math.ceil(most / LEAST_BIAS) * LEAST_BIAS
        const below = PANEL.top + PANEL.height + PANEL.gap
        this.panel(rm, months, x, below, { name: 'bias', aim: 0, low: -half, high: half })
        this.labels(rm, months, x, height - 6)
        rm.close('svg')
      },

      summary({ text, coverage, bias }) {
        const format = NumberFormat.getFloatInstance({ maxFractionDigits: 1 })
        const values = [coverage, bias].map((value) => format.format(value ?? 0))
        return this.bundle.getText('qualityLast', [text, ...values])
      },

      legend(rm, months) {
        const kinds = KINDS.filter((kind) => months.some((month) => month.kind === kind))
        rm.openStart('ul').class('restockQualityLegend').attr('aria-hidden', 'true').openEnd()
        for (const key of [...kinds, 'aim']) {
          rm.openStart('li').class(`restockQuality-${key}`).openEnd()
          rm.text(this.bundle.getText(`quality-${key}`)).close('li')
        }
        rm.close('ul')
      },

      /** Where each month stands, side by side. */
      places(months) {
        const all = [...new Set(months.map(({ month }) => month))]
        const room = (this.width - MARGIN.left - MARGIN.right) / all.length
        return (month) => MARGIN.left + (all.indexOf(month) + 0.5) * room
      },

      panel(rm, months, x, top, { name, aim, low, high }) {
        const bottom = top + PANEL.top + PANEL.height
        const y = (value) => bottom - ((value - low) / (high - low)) * PANEL.height
        const [left, right] = [MARGIN.left, this.width - MARGIN.right]
        const title = this.bundle.getText(name === 'bias' ? 'qualityBias' : 'qualityCoverage')
        this.label(rm, left, top + 14, title, 'start')
        for (const value of [low, (low + high) / 2, high, aim]) {
          this.line(rm, value === aim ? 'aim' : 'grid', left, y(value), right, y(value))
          this.label(rm, left - 6, y(value) + 4, String(value), 'end')
        }
        for (const kind of KINDS) {
          const points = months
            .filter((month) => month.kind === kind && month[name] !== null)
            .map((month) => [round(x(month.month)), round(y(Number(month[name])))])
          if (points.length) this.path(rm, kind, points)
        }
      },

      path(rm, kind, points) {
        rm.openStart('polyline').class(kind).attr('points', points.join(' ')).openEnd()
        rm.close('polyline')
        for (const [cx, cy] of points) {
          rm.openStart('circle').class(kind).attr('cx', cx).attr('cy', cy).attr('r', 3.5).openEnd()
          rm.close('circle')
        }
      },

      /** As many as find room, the last one always. */
      labels(rm, months, x, y) {
        const shown = new Map(months.map(({ month, text }) => [month, text]))
        const room = (this.width - MARGIN.left - MARGIN.right) / shown.size
        const every = Math.ceil(LABEL_WIDTH / room)
        ;[...shown].reverse().forEach(([month, text], at) => {
          if (at % every === 0) this.label(rm, x(month), y, text, 'middle')
        })
      },

      line(rm, style, x1, y1, x2, y2) {
        rm.openStart('line').class(style)
        for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) rm.attr(name, round(value))
        rm.openEnd().close('line')
      },

      label(rm, x, y, text, anchor) {
        rm.openStart('text').attr('x', round(x)).attr('y', round(y)).attr('text-anchor', anchor)
        rm.openEnd().text(text).close('text')
      },
    })
  },
)
