// One decision about many proposals: asked for with what they come to, sent in parts so that its progress is seen and it can
// be stopped, and told with each refusal.
sap.ui.define(
  [
    'sap/m/Button',
    'sap/m/DatePicker',
    'sap/m/Dialog',
    'sap/m/Label',
    'sap/m/List',
    'sap/m/MessageToast',
    'sap/m/ProgressIndicator',
    'sap/m/Select',
    'sap/m/StandardListItem',
    'sap/m/Text',
    'sap/m/TextArea',
    'sap/m/VBox',
    'sap/ui/core/Item',
    'sap/ui/thirdparty/jquery',
    './quantity',
    './sendMany',
    './sums',
  ],
  (
    Button,
    DatePicker,
    Dialog,
    Label,
    List,
    MessageToast,
    ProgressIndicator,
    Select,
    StandardListItem,
    Text,
    TextArea,
    VBox,
    Item,
    jQuery,
    quantity,
    sendMany,
    sums,
  ) => {
    const TOLD_MS = 8_000
    const SECOND = 'awaiting_second_approval'

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
        return ['until', new DatePicker({ valueFormat: 'yyyy-MM-dd', minDate, required: true })]
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

    /** What was entered; null where something that is needed is missing, which is shown. */
    function entered(fields) {
      const missing = fields.filter(([, field]) => field.getRequired?.() && !valueOf(field))
      for (const [, field] of fields)
        field.setValueState(missing.some(([, each]) => each === field) ? 'Error' : 'None')
      if (!missing.length)
        return Object.fromEntries(fields.map(([key, field]) => [key, valueOf(field) || null]))
      missing[0][1].focus()
      return null
    }

    /** The same rows as they are now, those alone that were decided. */
    async function readDecided(service, rows) {
      if (!rows.length) return []
      const filter = `ID in (${rows.map(({ ID }) => ID).join()})`
      const query = `$filter=${encodeURIComponent(filter)}&$select=ID,status,value,currency&$top=${rows.length}`
      return (await jQuery.ajax(`${service}Proposals?${query}`, { dataType: 'json' })).value
    }

    /** `3 of 50 orders approved, 1,234.00 EUR. 1 order waiting for a second approval, 900.00 EUR.` */
    function outcome(bundle, name, decided, all) {
      const isSecond = ({ status }) => name === 'approve' && status === SECOND
      const [waiting, done] = [decided.filter(isSecond), decided.filter((row) => !isSecond(row))]
      const orders = ({ length }) =>
        length < all
          ? bundle.getText('sumPart', [sums.whole(length), sums.whole(all)])
          : bundle.getText(length === 1 ? 'sumOrder' : 'sumOrders', [sums.whole(length)])
      const sentence = (key, rows) => {
        const money = name === 'approve' ? sums.moneyOf(rows) : ''
        return bundle.getText(key, [orders(rows), money && `, ${money}`])
      }
      return [
        ...(done.length || !waiting.length ? [sentence(`many-${name}-done`, done)] : []),
        ...(waiting.length ? [sentence('many-second', waiting)] : []),
      ].join(' ')
    }

    /**
     * Asks, decides and tells. @param rows with ID, version, quantity, value and currency
     * @returns the numbers of those decided; empty where the person has left
     */
    async function decideMany(api, { name, rows }) {
      const model = api.getModel()
      const service = model.getServiceUrl()
      const bundle = await api.getModel('i18n').getResourceBundle()
      const text = (key, ...values) => bundle.getText(`many-${key}`, values)
      const { fields, controls } = fieldsOf(name, text)
      const progress = new ProgressIndicator({ visible: false, displayAnimation: false })
      const refusals = new List({ visible: false, showSeparators: 'Inner' })
      const sum = new Text({ text: sums.textOf(bundle, rows) })
      const refused = []
      let [isRunning, isStopped, hasBegun, asked] = [false, false, false, 0]

      return new Promise((resolve, reject) => {
        const decidedRows = () => {
          const not = new Set(refused.map(({ ID }) => ID))
          return rows.slice(0, asked).filter(({ ID }) => !not.has(ID))
        }

        async function tell() {
          const decided = await readDecided(service, decidedRows()).catch(decidedRows)
          const told = outcome(bundle, name, decided, rows.length)
          const rest = isStopped ? rows.length - asked : 0
          if (!refused.length && !rest) {
            dialog.close()
            MessageToast.show(told, { duration: TOLD_MS, width: '25rem' })
            return
          }
          if (rest) refused.push({ message: text('rest', sums.whole(rest)) })
          dialog.setTitle(text('result'))
          dialog.setState('Warning')
          sum.setText(told)
          for (const control of [...controls, progress]) control.setVisible(false)
          for (const { message } of refused)
            refusals.addItem(new StandardListItem({ title: message, wrapping: true }))
          refusals.setVisible(true)
          start.setVisible(false)
          leave.setText(text('close'))
          leave.focus()
        }

        async function run() {
          const given = entered(fields)
          if (!given) return
          isRunning = hasBegun = true
          start.setEnabled(false)
          leave.setText(text('stop'))
          progress.setVisible(true)
          try {
            for (
              ;
              asked < rows.length && !isStopped;
              asked = Math.min(asked + sendMany.PART, rows.length)
            ) {
              progress.setPercentValue((100 * asked) / rows.length)
              progress.setDisplayValue(text('progress', sums.whole(asked), sums.whole(rows.length)))
              const part = rows.slice(asked, asked + sendMany.PART)
              refused.push(...(await sendMany.send(service, name, part, given)))
            }
          } catch (call) {
            const why = call.responseJSON?.error?.message ?? text('cutOff')
            refused.push({ message: why })
          }
          quantity.forget(decidedRows().map(({ ID }) => ID))
          await tell()
          isRunning = false
        }

        const start = new Button({ type: 'Emphasized', text: text(`${name}-do`), press: run })
        const leave = new Button({
          text: text('leave'),
          press: () => (isRunning && !refusals.getVisible() ? (isStopped = true) : dialog.close()),
        })
        const dialog = new Dialog({
          title: text(`${name}-title`, sums.whole(rows.length)),
          contentWidth: '32rem',
          content: new VBox({
            renderType: 'Bare',
            items: [sum.addStyleClass('sapUiSmallMarginBottom'), ...controls, progress, refusals],
          }),
          beginButton: start,
          endButton: leave,
          initialFocus: fields[0][1],
          // Esc stops what is running; what has been sent is answered first.
          escapeHandler({ reject: stay, resolve: close }) {
            if (!isRunning || refusals.getVisible()) return close()
            isStopped = true
            stay()
          },
          afterClose() {
            dialog.destroy()
            if (hasBegun) resolve(decidedRows().map(({ ID }) => ID))
            else reject(new Error('left'))
          },
        })
        dialog.addStyleClass('sapUiContentPadding').setModel(model)
        dialog.open()
      })
    }

    return decideMany
  },
)
