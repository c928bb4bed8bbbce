// The fields that a kind of ERP is asked for, each with its help below it and what is wrong beside it.
sap.ui.define(
  ['sap/m/Input', 'sap/m/Label', 'sap/m/Select', 'sap/m/Text', 'sap/m/VBox', 'sap/ui/core/Item'],
  (Input, Label, Select, Text, VBox, Item) => {
    const state = {
      enabled: '{= !${w>/isTested} }',
      valueState: "{= ${w>error} ? 'Error' : 'None' }",
      valueStateText: '{w>error}',
    }
    const isChosen = ({ kind }) => kind === 'choice' || kind === 'flag'

    const inputOf = ({ kind, preset }) =>
      new Input({
        ...state,
        value: '{w>value}',
        type: kind === 'secret' ? 'Password' : kind === 'number' ? 'Number' : 'Text',
        autocomplete: false,
        width: '100%',
        placeholder: preset ?? '',
      })

    const selectOf = () =>
      new Select({
        ...state,
        selectedKey: '{w>value}',
        forceSelection: false,
        width: '100%',
        items: {
          path: 'w>choices',
          templateShareable: false,
          template: new Item({ key: '{w>value}', text: '{w>name}' }),
        },
      })

    /** The key of a choice that is left open: a list does not show an item without a key. */
    const OPEN = ' '

    return {
      /** For the aggregation `items` of a box; the fields stand in the model `w`. */
      make(_id, context) {
        const field = context.getObject()
        const control = isChosen(field) ? selectOf() : inputOf(field)
        const help = new Text({
          text: '{= ${w>error} || ${w>hint} }',
          visible: '{= !!${w>error} || !!${w>hint} }',
        })
        control.addAriaDescribedBy?.(help)
        control.data('field', field.name)
        const label = new Label({
          text: field.label,
          required: field.isRequired,
          labelFor: control,
          wrapping: true,
        })
        const box = new VBox({ items: [label, control, help.addStyleClass('restockHelp')] })
        return box.addStyleClass('sapUiSmallMarginBottom')
      },

      /** As the service tells a field, and as the wizard keeps it: a choice may be left open. */
      prepare(field, { yes, no, open }) {
        const choices =
          field.kind === 'flag'
            ? [
                { value: 'true', name: yes },
                { value: 'false', name: no },
              ]
            : field.choices
        const preset = choices?.find(({ value }) => value === field.preset)?.name
        const first = { value: OPEN, name: preset ? `${open}: ${preset}` : open }
        const value = isChosen(field) ? OPEN : ''
        return { ...field, choices: [first, ...(choices ?? [])], value, error: null }
      },
    }
  },
)
