// Decisions, each about the version that is shown: on the page of one by its own action, in the list by a call that tells what
// was refused.
sap.ui.define(
  ['sap/m/MessageBox', './decideMany', './everything', './held', './quantity', './tabs', './worth'],
  (MessageBox, decideMany, everything, held, quantity, tabs, worth) => {
    const isAble = (can) => (row) =>
      row.getProperty(can) === true && !held.isHeld(row.getProperty('ID'))

    /** As the list has it: its page may not have read all of it. */
    async function rowOf(context) {
      await context.requestProperty(everything.SHOWN.split(','))
      return everything.rowOf(context)
    }

    /** A day is asked for by the dialog of the list; all else by that of Fiori elements. */
    async function askFirst(api, name, context) {
      if (name !== 'snooze') return {}
      const { until } = await decideMany(api, { name, rows: [await rowOf(context)] })
      return { skipParameterDialog: true, parameterValues: [{ name: 'until', value: until }] }
    }

    async function decideOne(api, name, label, context) {
      const ID = context.getProperty('ID')
      const typed = name === 'approve' ? quantity.of(ID) : undefined
      const parameterValues = [
        { name: 'version', value: context.getProperty('version') },
        ...(typed === undefined ? [] : [{ name: 'quantity', value: typed }]),
      ]
      const asked = await askFirst(api, name, context)
      const options = { contexts: [context], label, ...asked }
      options.parameterValues = [...parameterValues, ...(asked.parameterValues ?? [])]
      let isOver = false
      const row = name === 'approve' ? await rowOf(context) : null
      const action = api.editFlow.invokeAction(`BuyerService.${name}`, options)
      if (row) worth(await api.getModel('i18n').getResourceBundle(), row, () => isOver)
      await action.finally(() => (isOver = true))
      quantity.forget([ID])
      tabs.tell()
    }

    const textOf = async (api, key, values) =>
      (await api.getModel('i18n').getResourceBundle()).getText(key, values)

    /** Whether the person has left a dialog, as Fiori elements and this app say it. */
    const isLeft = (error) => ['Dialog cancelled', 'left'].includes(error?.message)

    /** What was decided before a call ended without an answer stays decided: the rest is counted. */
    async function tellRest(api, rows, can) {
      const filter = `ID in (${rows.map(({ ID }) => ID).join()})`
      const query = `$filter=${encodeURIComponent(filter)}&$select=ID,${can}&$top=${rows.length}`
      const address = `${api.getModel().getServiceUrl()}Proposals?${query}`
      const answer = await fetch(address, { headers: { Accept: 'application/json' } }).catch(
        () => null,
      )
      if (!answer?.ok) return MessageBox.warning(await textOf(api, 'cutOff'))
      const open = (await answer.json()).value.filter((row) => row[can]).length
      const counts = [rows.length - open, rows.length, open]
      MessageBox.warning(await textOf(api, 'cutOffAt', counts))
    }

    /** Fiori elements has told why; what the refusal is about is shown as it is now. */
    async function afterFailure(api, error, decided) {
      if (isLeft(error)) return
      await api.refresh()
      const isAnswered = error?.status >= 400 && error?.status < 500
      if (decided?.rows.length > 1 && !isAnswered) await tellRest(api, decided.rows, decided.can)
    }

    /** Of rows of the list: asked for, and then held for a while where they are few. */
    async function decideRows(api, name, rows) {
      const began = () => held.before(rows.length)
      const given = await held.during(decideMany(api, { name, rows, began }))
      if (given) return held.add({ api, name, rows, given })
      tabs.tell()
      await api.refresh()
    }

    /** Of the list. */
    const decision = (name, can) =>
      async function (_context, selected) {
        let rows
        try {
          rows = (await everything.chosen(this, selected, can)).filter(({ ID }) => !held.isHeld(ID))
          if (!rows.length) return
          await decideRows(this, name, rows)
          selected.forEach((row) => row.setSelected(false))
        } catch (error) {
          await afterFailure(this, error, rows && { rows, can })
        }
      }

    /** Of one row, without a question: it can be undone. @returns whether it may be approved at that quantity */
    function approveAtOnce(api, context) {
      if (!isAble('canApprove')(context)) return false
      const row = everything.rowOf(context)
      if (quantity.faultOf(row)) return false
      held.add({ api, name: 'approve', rows: [row], given: { comment: null } })
      return true
    }

    /** Of the page that shows one. */
    const decisionShown = (name, text) =>
      async function (context) {
        try {
          await decideOne(this, name, await textOf(this, text), context)
        } catch (error) {
          await afterFailure(this, error)
        }
      }

    const offered = (can) => (_context, selected) => selected.some(isAble(can))

    return {
      afterFailure,
      approveAtOnce,
      approve: decision('approve', 'canApprove'),
      decline: decision('decline', 'canReject'),
      snooze: decision('snooze', 'canSnooze'),
      cancel: decision('cancel', 'canCancel'),
      approveShown: decisionShown('approve', 'approve'),
      declineShown: decisionShown('decline', 'reject'),
      snoozeShown: decisionShown('snooze', 'snooze'),
      cancelShown: decisionShown('cancel', 'cancel'),
      canApprove: offered('canApprove'),
      canReject: offered('canReject'),
      canSnooze: offered('canSnooze'),
      canCancel: offered('canCancel'),
    }
  },
)
