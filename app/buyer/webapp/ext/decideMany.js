// One decision about proposals of the list: asked for with what they come to. Those of many are sent in parts, so that the progress
// is seen and can be stopped; few are held for a while, so that they can be undone.
sap.ui.define(
  [
    'sap/m/Button',
    'sap/m/DatePicker',
    'sap/m/Dialog',
    'sap/m/Label',
    'sap/m/MessageStrip',
    'sap/m/ProgressIndicator',
    'sap/m/Select',
    'sap/m/Text',
    'sap/m/TextArea',
    'sap/m/VBox',
    'sap/ui/core/Item',
    './outcomes',
    './pairName',
    './quantity',
    './sendMany',
    './snoozeDays',
    './sums',
  ],
  (
    Button,
    DatePicker,
    Dialog,
    Label,
    MessageStrip,
    ProgressIndicator,
    Select,
    Text,
    TextArea,
    VBox,
    Item,
    outcomes,
    pairName,
    quantity,
    sendMany,
    snoozeDays,
    sums,
  ) => {
    const MOST_FAULTS = 5

    /** The fields of each decision, the first one with the focus. */
    function fieldsOf(name, text) {
      const comment = ['comment', new TextArea({ rows: 2, width: '100%', maxLength: 1000 })]
      const template = new Item({ key: '{code}', text: '{name}' })
      const parameters = { $orderby: 'position' }
      const items = { path: '/RejectionReasons', parameters, template }
      const reason = () => [
        'reason',
        new Select({ width: '100%', items, forceSelection: false, required: true }),
      ]
      const until = () => {
        const minDate = new Date(Date.now() + 86_400_000)
        const formats = { valueFormat: 'yyyy-MM-dd', displayFormat: 'medium' }
        return ['until', new DatePicker({ ...formats, minDate, required: true })]
      }
      const fields = {
        approve: () => [comment],
        snooze: () => [until()],
        decline: () => [reason(), comment],
        cancel: () => [reason(), comment],
      }[name]()
      const labels = fields.map(
        ([key, field]) =>
          new Label({ text: text(key), labelFor: field, required: field.getRequired?.() ?? false }),
      )
      return { fields, controls: fields.flatMap(([, field], at) => [labels[at], field]) }
    }

    const valueOf = (field) =>
      field.isA('sap.m.Select') ? field.getSelectedKey() : field.getValue()

    const isComplete = (field) =>
      !field.getRequired?.() || (valueOf(field) && (field.isValidValue?.() ?? true))

    const check = (field) => field.setValueState(isComplete(field) ? 'None' : 'Error')

    /** What was entered; null where something that is needed is missing, which is shown. */
    function entered(fields) {
      for (const [, field] of fields) check(field)
      const missing = fields.find(([, field]) => !isComplete(field))
      if (!missing)
        return Object.fromEntries(fields.map(([key, field]) => [key, valueOf(field) || null]))
      missing[1].focus()
      return null
    }

    /** Quantities that cannot be ordered, each with its SKU and why. */
    const faultsOf = (bundle, name, rows) =>
      (name === 'approve' ? rows : []).flatMap((row) => {
        const fault = quantity.faultOf(row)
        return fault
          ? [`${pairName(row)}: ${bundle.getText(fault[0], fault[1].map(sums.whole))}`]
          : []
      })

    const COUNTS = ['thought', 'lowConfidence', 'noDemand', 'second', 'refused']

    /** Which of them somebody may want to see first: the dialog does not wait for it. */
    async function tellBefore(bundle, service, rows, strip) {
      const found = await sendMany.lookBefore(service, rows).catch(() => ({}))
      const told = COUNTS.filter((count) => found[count]).map((count) =>
        bundle.getText(`before-${count}`, [sums.whole(found[count])]),
      )
      if (!told.length || strip.isDestroyed()) return
      const all = bundle.getText('before', [sums.whole(rows.length), told.join(', ')])
      strip.setText([all, found.refusal].filter(Boolean).join(' ')).setVisible(true)
    }

    /**
     * Asks; what is many it sends and tells too. @param rows as the list has them; `began`: called once the first of them are decided, if there is one
     * @returns what was entered, for decisions that are to be held; null where all have been sent
     */
    async function decideMany(api, { name, rows, began }) {
      const model = api.getModel()
      const service = model.getServiceUrl()
      const bundle = await api.getModel('i18n').getResourceBundle()
      const text = (key, ...values) => bundle.getText(`many-${key}`, values)
      const { fields, controls } = fieldsOf(name, text)
      for (const [, field] of fields) field.attachEvent?.('change', () => check(field))
      const days = name === 'snooze' ? snoozeDays(bundle, rows, fields[0][1]) : []
      const progress = new ProgressIndicator({ visible: false, displayAnimation: false })
      const sum = new Text({ text: sums.textOf(bundle, rows) })
      const faults = faultsOf(bundle, name, rows)
      const wrong = new MessageStrip({
        ...{ type: 'Error', showIcon: true, visible: faults.length > 0 },
        text: faults.slice(0, MOST_FAULTS).join('\n'),
      })
      const before = new MessageStrip({ type: 'Warning', showIcon: true, visible: false })
      if (name === 'approve') tellBefore(bundle, service, rows, before)
      const refused = []
      let [isRunning, isStopped, asked, answer] = [false, false, 0, undefined]

      return new Promise((resolve, reject) => {
        async function send(given) {
          isRunning = true
          start.setEnabled(false)
          leave.setText(text('stop'))
          progress.setVisible(true)
          try {
            while (asked < rows.length && !isStopped) {
              progress.setPercentValue((100 * asked) / rows.length)
              progress.setDisplayValue(text('progress', sums.whole(asked), sums.whole(rows.length)))
              const part = rows.slice(asked, asked + sendMany.PART)
              refused.push(...(await sendMany.send(service, name, part, given)))
              // The old rows are removed while the service decides of the next ones: to draw them anew would keep the tab busy.
              if (began && !asked) setTimeout(began)
              asked += part.length
            }
          } catch (call) {
            refused.push({ message: call.responseJSON?.error?.message ?? text('cutOff') })
          }
          const not = new Set(refused.map(({ ID }) => ID))
          const sent = rows.slice(0, asked)
          quantity.forget(sent.map(({ ID }) => ID).filter((ID) => !not.has(ID)))
          const all = rows.length
          const told = await outcomes.sentence(bundle, service, { name, rows: sent, refused, all })
          const rest = isStopped ? all - asked : 0
          if (rest) refused.push({ message: text('rest', sums.whole(rest)) })
          answer = null
          dialog.close()
          outcomes.tell(bundle, told, refused)
        }

        function run() {
          const given = entered(fields)
          if (!given) return
          if (rows.length > sendMany.PART) return send(given)
          answer = given
          dialog.close()
        }

        const start = new Button({
          ...{ type: 'Emphasized', text: text(`${name}-do`), press: run },
          enabled: faults.length === 0,
        })
        const leave = new Button({
          text: text('leave'),
          press: () => (isRunning ? (isStopped = true) : dialog.close()),
        })
        const title = rows.length === 1 ? `${name}-titleOne` : `${name}-title`
        const dialog = new Dialog({
          title: text(title, sums.whole(rows.length)),
          contentWidth: '32rem',
          content: new VBox({
            renderType: 'Bare',
            items: [
              sum.addStyleClass('sapUiSmallMarginBottom'),
              ...[wrong, before].map((strip) => strip.addStyleClass('sapUiTinyMarginBottom')),
              ...[...controls, ...days, progress],
            ],
          }),
          beginButton: start,
          endButton: leave,
          initialFocus: fields[0][1],
          // Esc stops what is running; what has been sent is answered first.
          escapeHandler({ reject: stay, resolve: close }) {
            if (!isRunning) return close()
            isStopped = true
            stay()
          },
          afterClose() {
            dialog.destroy()
            if (answer === undefined) reject(new Error('left'))
            else resolve(answer)
          },
        })
        dialog.addStyleClass('sapUiContentPadding').setModel(model)
        dialog.open()
      })
    }

    return decideMany
  },
)
