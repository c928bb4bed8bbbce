// A supplier's order decided at once: asked for with what it comes to, then each decision by itself. What one refuses, the
// others do not.
sap.ui.define(
  [
    'sap/ui/core/Element',
    'sap/ui/model/json/JSONModel',
    './openFragment',
    './outcomes',
    './quantity',
    './sendMany',
    './snoozeDays',
    './tabs',
  ],
  (Element, JSONModel, openFragment, outcomes, quantity, sendMany, snoozeDays, tabs) => {
    const DAY_MS = 86_400_000
    const WEEK = 7

    const dayAhead = (days) => new Date(Date.now() + days * DAY_MS)

    async function readReasons(page) {
      const found = await page.getView().getModel().bindList('/RejectionReasons').requestContexts()
      return found.map((context) => context.getObject())
    }

    /** @returns the refusals */
    async function decide(page, name, rows, given) {
      const service = page.getView().getModel().getServiceUrl()
      const refused = []
      let at = 0
      try {
        for (; at < rows.length; at += sendMany.PART) {
          const part = rows.slice(at, at + sendMany.PART)
          const refusals = await sendMany.send(service, name, part, given)
          const kept = new Set(refusals.map(({ ID }) => ID))
          quantity.forget(part.map(({ ID }) => ID).filter((ID) => !kept.has(ID)))
          refused.push(...refusals)
        }
      } catch (call) {
        const message = call.responseJSON?.error?.message ?? page.bundle.getText('many-cutOff')
        refused.push(...rows.slice(at).map(({ ID }) => ({ ID, message })))
      }
      return refused
    }

    async function decideAll(page, { reason, until, comment }) {
      const said = { comment: comment.trim() || null }
      const service = page.getView().getModel().getServiceUrl()
      const { currency } = page.key
      const asked = [
        ['approve', 'order', said],
        ['decline', 'reject', { reason, ...said }],
        ['snooze', 'snooze', { until }],
      ].filter(([, mark]) => page.marked(mark).length)
      const [told, refused] = [[], []]
      const left = new Set(page.marked('leave').map(({ ID }) => ID))
      for (const [name, mark, given] of asked) {
        const marked = page.marked(mark)
        const refusals = await decide(page, name, marked, given)
        refused.push(...refusals)
        const rows = marked.map(({ ID, value }) => ({ ID, value, currency }))
        told.push(await outcomes.sentence(page.bundle, service, { name, rows, refused: refusals }))
      }
      tabs.tell()
      await page.refresh(left)
      outcomes.tell(page.bundle, told.join(' '), refused)
    }

    return {
      /** @param page of the order */
      async ask(page) {
        const { orderDayAfter, currency } = page.state.getData()
        const reasons = await readReasons(page)
        const until = orderDayAfter ?? dayAhead(WEEK).toISOString().slice(0, 10)
        const answer = { reason: reasons[0]?.code, until, comment: '' }
        const state = new JSONModel({ ...answer, reasons })
        const handlers = {
          onClose: () => dialog.close(),
          onConfirm() {
            const snoozed = page.marked('snooze').length
            if (snoozed && !(picker.getValue() && picker.isValidValue()))
              return picker.setValueState('Error').focus()
            dialog.close()
            page.set({ isBusy: true })
            return decideAll(page, state.getData())
          },
        }
        const models = { order: page.state, answer: state }
        const dialog = await openFragment(page.getView(), 'WorkbenchDecide', models, handlers)
        const picker = Element.getElementById('until').setMinDate(dayAhead(1))
        const rows = page.marked('snooze').map((line) => ({ ...line, currency }))
        const place = Element.getElementById('snoozing')
        for (const each of snoozeDays(page.bundle, rows, picker)) place.addItem(each)
      },
    }
  },
)
