// What would be proposed with another lead time, service target or demand: asked for while it is changed.
sap.ui.define(
  [
    'sap/ui/core/Fragment',
    'sap/ui/core/format/DateFormat',
    'sap/ui/model/json/JSONModel',
    './sums',
  ],
  (Fragment, DateFormat, JSONModel, sums) => {
    const PAUSE_MS = 250
    const INPUTS = ['leadTimeDays', 'targetPercent', 'demandPercent', 'demandDays']

    const number = (value) => (value === null || value === undefined ? null : Number(value))

    async function openDialog(api, context) {
      const bundle = await api.getModel('i18n').getResourceBundle()
      const { leadTimeDays, targetQuantile } = await context.requestObject()
      const before = {
        leadTimeDays: Math.round(number(leadTimeDays) ?? 0),
        targetPercent: Math.round(1000 * (number(targetQuantile) ?? 0.95)) / 10,
        ...{ demandPercent: 0, demandDays: 28 },
      }
      const state = new JSONModel({ ...before, now: '', then: '', text: '', error: '' })
      let timer

      function show({ quantity, proposedQuantity, value, currency, orderBy, text }) {
        const money = sums.moneyOf([{ value, currency }])
        const day =
          orderBy &&
          DateFormat.getDateInstance({ style: 'medium', UTC: true }).format(new Date(orderBy))
        const units = bundle.getText('sumUnits', [sums.whole(Number(quantity))])
        const then = Number(quantity)
          ? bundle.getText('whatIfThen', [units, money])
          : bundle.getText('whatIfThenNone')
        const proposed = bundle.getText('sumUnits', [sums.whole(Number(proposedQuantity))])
        state.setProperty('/error', '')
        state.setProperty('/now', bundle.getText('whatIfNow', [proposed]))
        state.setProperty('/then', then)
        state.setProperty('/text', day ? `${text} ${bundle.getText('whatIfOrderBy', [day])}` : text)
      }

      async function ask() {
        const given = state.getData()
        const asked = JSON.stringify(INPUTS.map((name) => given[name]))
        const operation = context.getModel().bindContext('BuyerService.whatIf(...)', context)
        // What is as it was is not said, so that a measured lead time stays one.
        for (const name of INPUTS) {
          const isSaid = name === 'demandDays' ? given.demandPercent : given[name] !== before[name]
          operation.setParameter(name, isSaid ? given[name] : null)
        }
        try {
          await operation.invoke()
          const isAsked = asked === JSON.stringify(INPUTS.map((name) => given[name]))
          if (isAsked) show(operation.getBoundContext().getObject())
        } catch (error) {
          state.setProperty('/then', '')
          state.setProperty('/error', error.message)
        } finally {
          operation.destroy()
        }
      }

      const handlers = {
        onChange() {
          clearTimeout(timer)
          timer = setTimeout(ask, PAUSE_MS)
        },
        onClose: () => dialog.close(),
      }
      const dialog = await Fragment.load({ name: 'restock.buyer.ext.WhatIf', controller: handlers })
      dialog.setModel(state, 'whatIf').setModel(api.getModel('i18n'), 'i18n')
      dialog.attachAfterClose(() => {
        clearTimeout(timer)
        dialog.destroy()
      })
      dialog.open()
      await ask()
    }

    return {
      open(context) {
        return openDialog(this, context)
      },
    }
  },
)
