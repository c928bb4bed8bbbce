// What a stockout and stock cost: what that buys, other costs in a planner's words, and the ratio of the past year.
sap.ui.define(
  ['sap/fe/core/PageController', 'sap/ui/Device', 'sap/ui/model/json/JSONModel', './costsTexts'],
  (PageController, Device, JSONModel, texts) => {
    return PageController.extend('restock.buyer.ext.Costs', {
      onInit(...all) {
        PageController.prototype.onInit.apply(this, all)
        this.state = new JSONModel({ ...texts.EMPTY, isBusy: true })
        this.getView().setModel(this.state, 'costs')
        if (!Device.support.touch) this.getView().addStyleClass('sapUiSizeCompact')
        const route = this.getAppComponent().getRouter().getRoute('Costs')
        route.attachPatternMatched(() => this.open())
      },

      async open() {
        this.bundle ??= await this.getView().getModel('i18n').getResourceBundle()
        this.set({ ...texts.EMPTY, fields: texts.fields(this.bundle) })
        await this.read()
      },

      set(values) {
        this.state.setData({ ...this.state.getData(), ...values })
      },

      /** Calls an operation of the service and shows what it refuses. @returns undefined then */
      async call(name, parameters) {
        const operation = this.getView().getModel().bindContext(`/${name}(...)`)
        for (const [each, value] of Object.entries(parameters)) operation.setParameter(each, value)
        this.set({ isBusy: true, error: '' })
        try {
          await operation.invoke()
          return operation.getBoundContext().getObject()
        } catch (error) {
          this.set({ error: error.message })
          return undefined
        } finally {
          this.set({ isBusy: false })
        }
      },

      async read() {
        const { by } = this.state.getData()
        const found = await this.call('costs', { by })
        if (found) this.set(texts.ofCosts(this.bundle, found))
        const past = await this.call('pastCosts', { by })
        if (past) this.set(texts.ofPast(this.bundle, past))
      },

      onBy() {
        return this.read()
      },

      /** The words as they stand in the fields; null where one is no number. */
      words() {
        const { fields, unmetDemand, skuGroup, abcClass } = this.state.getData()
        const { values, checked } = texts.valuesOf(fields)
        this.set({ fields: checked })
        if (!values) return null
        return {
          ...{ ...values, unmetDemand: unmetDemand || null },
          ...{ skuGroup: skuGroup.trim() || null, abcClass: abcClass || null },
        }
      },

      async onPreview() {
        const words = this.words()
        const found = words && (await this.call('previewCosts', words))
        if (found) this.set({ ...texts.ofPreview(this.bundle, found), done: '' })
      },

      async onSet() {
        const words = this.words()
        const found = words && (await this.call('setCosts', words))
        if (!found) return
        this.clear()
        this.set({ done: this.bundle.getText('costsDone', [found.text]) })
        await this.read()
      },

      /** Nothing is entered any more; the rows stay by class or by group. */
      clear() {
        const { by } = this.state.getData()
        this.set({ ...texts.EMPTY, by, fields: texts.fields(this.bundle) })
      },

      /** For whom the costs are: the class or group of a row; all where it has no code. */
      rowOf(event) {
        const { code, weeks } = event.getSource().getBindingContext('costs').getObject()
        const isClass = this.state.getData().by === 'abc'
        return { weeks, skuGroup: isClass ? '' : code, abcClass: isClass ? code : '' }
      },

      /** What is entered from now on is of the class or group in this row. */
      async onChange(event) {
        const { skuGroup, abcClass } = this.rowOf(event)
        this.clear()
        await this.read()
        this.set({ skuGroup, abcClass })
        this.byId(abcClass ? 'class' : 'group').focus()
      },

      /** The ratio of the past goes into the fields; it is set by a person alone. */
      onTake(event) {
        const { weeks, ...those } = this.rowOf(event)
        this.set({ fields: texts.fields(this.bundle, { weeks }), ...those })
        return this.onPreview()
      },
    })
  },
)
