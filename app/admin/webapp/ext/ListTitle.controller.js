// A list is called by what it lists: Fiori elements calls each one by the name of the app.
sap.ui.define(['sap/ui/core/mvc/ControllerExtension'], (ControllerExtension) =>
  ControllerExtension.extend('restock.admin.ext.ListTitle', {
    override: {
      onAfterRendering() {
        this.isNamed ??= this.name()
      },
    },

    async name() {
      const view = this.base.getView()
      const { contextPath } = view.getViewData()
      const name = `${contextPath}/@com.sap.vocabularies.UI.v1.HeaderInfo/TypeNamePlural`
      const text = await view.getModel().getMetaModel().requestObject(name)
      const isTitle = (control) => control.isA('sap.m.Title')
      const titles = view.byId('fe::DynamicPageTitle')?.findAggregatedObjects(true, isTitle) ?? []
      if (text) for (const title of titles) title.unbindProperty('text', true).setText(text)
    },
  }),
)
