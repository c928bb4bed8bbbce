"""A Tryton company with a year behind it, by tryton-proteus: `erp.py fill|change|figures|import <database> <config> [<file>]`.

`figures` prints what Tryton itself computes, as JSON. Business days are UTC.
"""
import csv
import datetime
import json
import random
import sys
from collections import defaultdict
from decimal import Decimal

from proteus import Model, Wizard, config as proteus_config
from trytond.exceptions import UserWarning
from trytond.pool import Pool
from trytond.transaction import Transaction

PRODUCTS = 500
DAYS = 365
#: Sales a day of the company.
SALES_A_DAY = 25
TODAY = datetime.date.today()
READER = ('restock', 'only-reads-4711')
#: Work for both companies of the database, and see the branch alone or both.
READERS_OF_BOTH = [('restock2', 'one'), ('restock3', 'all')]
BRANCH = 'BRANCH'
#: What the reading user's group may read; everything else is left to Tryton's defaults.
READ = [
    'company.company', 'party.party', 'product.template', 'product.product',
    'product.uom', 'purchase.purchase', 'purchase.line',
    'purchase.product_supplier', 'purchase.product_supplier.price',
    'sale.sale', 'sale.line', 'stock.location', 'stock.move',
    'stock.order_point', 'purchase.line.component', 'sale.line.component',
    'purchase.request']


def connect(database, path):
    return proteus_config.set_trytond('sqlite:///%s' % database, config_file=path)


def bulk(config):
    """A transaction of the server itself, for what would take minutes record by record."""
    return Transaction().start(
        config.database_name, 0, context={'company': 1, '_skip_warnings': True})


def create_company(config):
    Currency, Party, User = map(
        Model.get, ['currency.currency', 'party.party', 'res.user'])
    currency = Currency(name='Euro', code='EUR', symbol='€', numeric_code='978',
        rounding=Decimal('0.01'), digits=2)
    currency.rates.new(date=datetime.date(2000, 1, 1), rate=Decimal(1))
    currency.save()
    party = Party(name='Restock Test Company')
    party.save()
    wizard = Wizard('company.company.config')
    wizard.execute('company')
    wizard.form.party, wizard.form.currency = party, currency
    wizard.execute('add')
    config._context = User.get_preferences(True, {})


def get_company():
    company, = Model.get('company.company').find([('id', '=', 1)])
    return company


def create_reader():
    Access, Group, IrModel, User = map(
        Model.get, ['ir.model.access', 'res.group', 'ir.model', 'res.user'])
    group = Group(name='Restock (read)')
    group.save()
    for name in READ:
        model, = IrModel.find([('model', '=', name)])
        Access(model=model, group=group, perm_read=True, perm_write=False,
            perm_create=False, perm_delete=False).save()
    user = User(name='Restock', login=READER[0])
    user.password = READER[1]
    company = get_company()
    user.companies.append(company)
    user.company = company
    user.groups.append(group)
    user.save()


def create_warehouses():
    Location = Model.get('stock.location')
    first, = Location.find([('type', '=', 'warehouse')])
    warehouses = [first]
    for code, name in [('NORTH', 'North'), ('SOUTH', 'South')]:
        zones = {}
        for zone in ['input', 'output', 'storage']:
            location = Location(name='%s %s' % (name, zone), type='storage')
            location.save()
            zones[zone] = location
        factory = Location(name='%s production' % name, type='production')
        factory.save()
        warehouse = Location(name=name, code=code, type='warehouse',
            input_location=zones['input'], output_location=zones['output'],
            storage_location=zones['storage'], production_location=factory)
        warehouse.save()
        warehouses.append(warehouse)
    # Goods lie in a bin below the storage zone too.
    Location(name='Bin 1', type='storage', parent=first.storage_location).save()
    return warehouses


def create_products(config, suppliers):
    """@returns their numbers"""
    Uom = Model.get('product.uom')
    unit, = Uom.find([('name', '=', 'Unit')])
    kilogram, = Uom.find([('name', '=', 'Kilogram')])
    gram, = Uom.find([('name', '=', 'Gram')])
    dozen = Uom(name='Dozen', symbol='dz', category=unit.category, factor=12.0,
        rounding=1.0, digits=0)
    dozen.rate = round(1 / 12, 12)
    dozen.save()
    numbers = []
    units = {'kg': kilogram.id, 'g': gram.id, 'dz': dozen.id, 'u': unit.id}
    parties = [supplier.id for supplier in suppliers]
    with bulk(config) as transaction:
        pool = Pool()
        Template = pool.get('product.template')
        Supplier = pool.get('purchase.product_supplier')
        for start in range(1, PRODUCTS + 1, 100):
            rows = []
            for at in range(start, start + 100):
                weighed = at % 10 == 0
                rows.append({
                    'name': 'Product %d' % at,
                    'code': 'A-%05d' % at,
                    'type': 'goods',
                    'default_uom': units['kg' if weighed else 'u'],
                    'purchase_uom': units['g' if weighed else 'dz' if at % 3 == 0 else 'u'],
                    'purchasable': at % 97 != 0,
                    'salable': True,
                    'sale_uom': units['kg' if weighed else 'u'],
                    'list_price': Decimal('10'),
                    'products': [('create', [{'cost_price': Decimal(at) / 100 + 1}])],
                    })
            for at, template in enumerate(Template.create(rows), start):
                numbers.append(template.products[0].id)
                if at % 50 == 0:
                    continue
                Supplier.create([{
                    'template': template.id,
                    'party': parties[at % len(parties)],
                    'company': 1,
                    'currency': 1,
                    'sequence': 1,
                    'lead_time': datetime.timedelta(days=3 + at % 20),
                    'prices': [('create', [
                        {'sequence': 1, 'quantity': 0.0, 'unit_price': Decimal(at) / 100 + 1},
                        {'sequence': 2, 'quantity': 100.0, 'unit_price': Decimal(at) / 200 + 1},
                        ])],
                    }])
        transaction.commit()
    return numbers


def sell_for_a_year(config, products, warehouses, customer, draws):
    """Opening stock, and deliveries of every day, a tenth of them returned."""
    stores = [warehouse.storage_location.id for warehouse in warehouses]
    with bulk(config) as transaction:
        Move = Pool().get('stock.move')
        Product = Pool().get('product.product')
        uoms = {p.id: p.default_uom.id for p in Product.browse(products)}
        lost, = Pool().get('stock.location').search([('type', '=', 'lost_found')])

        def move(product, quantity, from_, to, date):
            return {
                'product': product, 'uom': uoms[product], 'quantity': quantity,
                'from_location': from_, 'to_location': to, 'company': 1,
                'currency': 1, 'unit_price': Decimal('10'), 'effective_date': date,
                }
        homes = {}
        opening = []
        for at, product in enumerate(products):
            homes[product] = [stores[at % 3]] + (
                [stores[(at + 1) % 3]] if at % 5 == 0 else [])
            for store in homes[product]:
                opening.append(move(product, float(draws.randint(50, 400)), lost.id,
                    store, TODAY - datetime.timedelta(days=DAYS + 1)))
        Move.do(Move.create(opening))
        transaction.commit()
        for back in range(DAYS, 0, -1):
            date = TODAY - datetime.timedelta(days=back)
            rows = []
            for _ in range(SALES_A_DAY):
                product = draws.choice(products[:-5])
                store = draws.choice(homes[product])
                weighed = (products.index(product) + 1) % 10 == 0
                quantity = draws.randint(1, 9) / (4 if weighed else 1)
                places = (store, customer)
                if draws.random() < .1:
                    places = places[::-1]
                rows.append(move(product, quantity, *places, date))
            Move.do(Move.create(rows))
            if back % 30 == 0:
                transaction.commit()
        transaction.commit()


def click(record, button):
    """As somebody who confirms Tryton's warnings."""
    Warning = Model.get('res.user.warning')
    try:
        record.click(button)
    except UserWarning as warning:
        Warning(user=Model.get('res.user')(1), name=warning.name, always=False).save()
        record.click(button)


def ship(warehouse, customer, lines, date):
    """A shipment through all its steps."""
    Shipment = Model.get('stock.shipment.out')
    shipment = Shipment()
    shipment.customer = customer
    shipment.warehouse = warehouse
    shipment.planned_date = date
    for product, quantity in lines:
        move = shipment.outgoing_moves.new()
        move.product = product
        move.uom = product.default_uom
        move.quantity = quantity
        move.from_location = warehouse.output_location
        move.to_location = customer.customer_location
        move.company = get_company()
        move.unit_price = Decimal('10')
        move.currency = get_company().currency
    shipment.effective_date = date
    shipment.save()
    for step in ['wait', 'assign_force', 'pick', 'pack', 'done']:
        click(shipment, step)
    return shipment


def buy(supplier, warehouse, lines, days):
    Purchase = Model.get('purchase.purchase')
    purchase = Purchase()
    purchase.party = supplier
    purchase.warehouse = warehouse
    purchase.invoice_method = 'manual'
    purchase.purchase_date = TODAY - datetime.timedelta(days=days)
    purchase.delivery_date = TODAY + datetime.timedelta(days=10 - days)
    for product, quantity in lines:
        line = purchase.lines.new()
        line.product = product
        line.quantity = quantity
        line.unit_price = Decimal('2')
    click(purchase, 'quote')
    click(purchase, 'confirm')
    return purchase


def receive(purchase, share=1):
    """A delivery of this share of each line; into the input zone, and on into the storage."""
    Shipment, Move = Model.get('stock.shipment.in'), Model.get('stock.move')
    shipment = Shipment(supplier=purchase.party, warehouse=purchase.warehouse)
    for move in [m for m in purchase.moves if m.state == 'draft']:
        incoming = Move(id=move.id)
        if share != 1:
            incoming.quantity = float(int(move.quantity * share))
        shipment.incoming_moves.append(incoming)
    shipment.save()
    click(shipment, 'receive')
    return shipment


def send_back(purchase):
    for shipment in purchase.shipment_returns:
        for step in ['wait', 'assign_force', 'done']:
            if shipment.state != step:
                click(shipment, step)


def sell(customer, warehouse, lines):
    Sale = Model.get('sale.sale')
    sale = Sale(party=customer, warehouse=warehouse, invoice_method='manual')
    for product, quantity in lines:
        line = sale.lines.new()
        line.product = product
        line.quantity = quantity
        line.unit_price = Decimal('10')
    click(sale, 'quote')
    click(sale, 'confirm')
    return sale


def fill(config):
    Party = Model.get('party.party')
    draws = random.Random(1)
    create_company(config)
    create_reader()
    warehouses = create_warehouses()
    suppliers = []
    for at in range(20):
        party = Party(name='Supplier %d' % (at + 1))
        party.save()
        suppliers.append(party)
    customer = Party(name='Customer')
    customer.save()
    numbers = create_products(config, suppliers)
    sell_for_a_year(config, numbers, warehouses, customer.customer_location.id, draws)
    add_documents(config)
    add_extraordinary(config)


def add_extraordinary(config):
    """What a company may hold beside the ordinary; see figures for what Tryton makes of it."""
    Party, Location, Product, Uom = map(
        Model.get, ['party.party', 'stock.location', 'product.product', 'product.uom'])
    customer, = Party.find([('name', '=', 'Customer')])
    suppliers = Party.find([('name', 'like', 'Supplier %')], order=[('id', 'ASC')])
    warehouses = Location.find([('type', '=', 'warehouse')], order=[('id', 'ASC')])
    products = Product.find([('code', 'like', 'A-%')], order=[('id', 'ASC')])
    unit, = Uom.find([('name', '=', 'Unit')])
    gram, = Uom.find([('name', '=', 'Gram')])
    kilogram, = Uom.find([('name', '=', 'Kilogram')])
    box = Uom(name='Box of 96', symbol='box', category=unit.category, factor=96.0,
        rounding=0.5, digits=1)
    box.rate = round(1 / 96, 12)
    box.save()
    numbers = [product.id for product in products]
    given_up = products[200].code
    homes = [warehouse.storage_location.id for warehouse in warehouses]
    entry, lost = warehouses[1].input_location.id, Location.find([('type', '=', 'lost_found')])[0].id
    factory = warehouses[0].production_location.id
    customers, vendors = customer.customer_location.id, suppliers[0].supplier_location.id
    with bulk(config) as transaction:
        pool = Pool()
        Template, Supplier, Price, Move = map(pool.get, [
            'product.template', 'purchase.product_supplier',
            'purchase.product_supplier.price', 'stock.move'])
        Products = pool.get('product.product')

        def template(code, name, **values):
            created, = Template.create([{
                'name': name, 'code': code, 'type': 'goods', 'default_uom': unit.id,
                'purchase_uom': unit.id, 'sale_uom': unit.id, 'purchasable': True,
                'salable': True, 'list_price': Decimal('10'),
                'products': [('create', [{'cost_price': Decimal('2')}])], **values}])
            return created

        def supplier(product, party, lead_time, sequence, *prices):
            created, = Supplier.create([{
                'template': Products(product).template.id, 'party': party.id, 'company': 1,
                'currency': 1, 'sequence': sequence,
                'lead_time': datetime.timedelta(days=lead_time)}])
            Price.create([{
                'product_supplier': created.id, 'sequence': number, 'quantity': float(quantity),
                'unit_price': Decimal(price)} for number, quantity, price in prices])

        def move(product, quantity, from_, to, **values):
            return {
                'product': product, 'uom': Products(product).default_uom.id,
                'quantity': float(quantity), 'from_location': from_, 'to_location': to,
                'company': 1, 'currency': 1, 'unit_price': Decimal('2'), **values}
        # A code that comes back, and a product without one.
        Products.write([Products(numbers[200])], {'active': False})
        again = template(given_up, 'The next one').products[0].id
        nameless = template(None, 'Without a code').products[0].id
        # Units of purchase of which parts are ordered.
        boxed = template('U-BOX', 'By the box', purchase_uom=box.id).products[0].id
        weighed = template('U-KG', 'By the kilogram', default_uom=gram.id, sale_uom=gram.id,
            purchase_uom=kilogram.id).products[0].id
        for number in (again, nameless, boxed, weighed):
            supplier(number, suppliers[0], 9, 1, (1, 0, '3'))
        # Suppliers and prices in any order.
        supplier(numbers[220], suppliers[3], 4, None, (1, 0, '7'))
        supplier(numbers[221], suppliers[4], 4, 1, (1, 0, '7'))
        supplier(numbers[222], suppliers[5], 5, 0, (2, 0, '4'), (1, 100, '3'))
        supplier(numbers[223], suppliers[6], 6, 0, (None, 10, '4'), (3, 50, '2'), (2, 200, '1'),
            (4, 200, '1.5'))
        Move.do(Move.create([
            move(number, 40 + at, lost, homes[at % 3], effective_date=TODAY)
            for at, number in enumerate([again, nameless, boxed, weighed, *numbers[220:224]])]))
        # What is on its way otherwise than by orders.
        later = {'planned_date': TODAY + datetime.timedelta(days=5)}
        Move.create([
            move(numbers[230], 3, homes[0], homes[1], **later),
            move(numbers[231], 4, homes[0], factory, **later),
            move(numbers[232], 5, factory, homes[0], **later),
            move(numbers[233], 6, customers, entry, **later),
            move(numbers[234], 7, homes[2], vendors, **later),
            move(numbers[235], 8, vendors, entry, **later),
            move(numbers[236], 2, homes[1], customers, **later),
            ])
        template('KIT-1', 'A kit', type='kit', cost_price_method='fixed',
            components=[('create', [
                {'product': numbers[240], 'quantity': 2.0, 'unit': unit.id},
                {'product': numbers[241], 'quantity': 3.0, 'unit': unit.id}])])
        create_branch(pool, numbers[0])
        transaction.commit()
    kit, = Product.find([('code', '=', 'KIT-1')])
    buy(suppliers[7], warehouses[0], [(kit, 5.0)], 0)
    sell(customer, warehouses[1], [(kit, 2.0)])


def create_branch(pool, product):
    """Another company in the same database, with a warehouse of its own."""
    Company, Location, Move, OrderPoint, Party, Product, User = map(pool.get, [
        'company.company', 'stock.location', 'stock.move', 'stock.order_point',
        'party.party', 'product.product', 'res.user'])
    party, = Party.create([{'name': 'Branch'}])
    branch, = Company.create([{'party': party.id, 'currency': 1}])
    zones = Location.create([
        {'name': 'Branch %s' % kind, 'type': kind}
        for kind in ['storage', 'storage', 'storage', 'production']])
    warehouse, = Location.create([{
        'name': 'Branch', 'code': BRANCH, 'type': 'warehouse',
        **dict(zip(['input_location', 'output_location', 'storage_location',
            'production_location'], [zone.id for zone in zones]))}])
    lost, = Location.search([('type', '=', 'lost_found')])
    reader, = User.search([('login', '=', READER[0])])
    User.create([{
        'name': login, 'login': login, 'password': READER[1],
        'companies': [('add', [1, branch.id])], 'company_filter': seen,
        'company': branch.id if seen == 'one' else 1,
        'groups': [('add', [group.id for group in reader.groups])]}
        for login, seen in READERS_OF_BOTH])
    with Transaction().set_context(company=branch.id):
        Move.do(Move.create([{
            'product': product, 'uom': Product(product).default_uom.id, 'quantity': 17.0,
            'from_location': lost.id, 'to_location': zones[2].id, 'company': branch.id,
            'currency': 1, 'unit_price': Decimal('2'), 'effective_date': TODAY}]))
        OrderPoint.create([{
            'product': product, 'warehouse_location': warehouse.id, 'company': branch.id,
            'type': 'purchase', 'min_quantity': 1.0, 'target_quantity': 2.0}])


def add_documents(config):
    Party, Product, Location = map(
        Model.get, ['party.party', 'product.product', 'stock.location'])
    customer, = Party.find([('name', '=', 'Customer')])
    suppliers = Party.find([('name', 'like', 'Supplier %')], order=[('id', 'ASC')])
    warehouses = Location.find([('type', '=', 'warehouse')], order=[('id', 'ASC')])
    bin_, = Location.find([('name', '=', 'Bin 1')])
    products = Product.find([('code', 'like', 'A-%')], order=[('id', 'ASC')])
    numbers = [product.id for product in products]
    for month in range(12):
        date = TODAY - datetime.timedelta(days=30 * month + 3)
        ship(warehouses[month % 3], customer, [
            (product, 2.0) for product in products[month::60]], date)
    for at in range(40):
        lines = [(products[(7 * at + n) % 485], float(10 + at)) for n in range(3)]
        purchase = buy(suppliers[at % 20], warehouses[at % 3], lines, at)
        if at % 4 == 1:
            receive(purchase, .5)
        elif at % 4 == 2:
            click(receive(purchase), 'done')
        elif at % 8 == 3:
            # All of it goes back.
            click(receive(purchase), 'done')
            send_back(buy(suppliers[at % 20], warehouses[at % 3],
                [(product, -quantity) for product, quantity in lines], 0))
    for at in range(15):
        sell(customer, warehouses[at % 3], [(products[11 * at], 3.0)])
    OrderPoint = Model.get('stock.order_point')
    for at in range(0, 485, 20):
        if products[at].purchasable:
            OrderPoint(product=products[at], warehouse_location=warehouses[at % 3],
                min_quantity=5.0, target_quantity=20.0, type='purchase').save()
    # Negative stock, and goods in a bin.
    storage, other = [each.storage_location.id for each in warehouses[:2]]
    units, bin_id = [each.default_uom.id for each in products[:2]], bin_.id
    customers = customer.customer_location.id
    with bulk(config) as transaction:
        Move = Pool().get('stock.move')
        base = {'company': 1, 'currency': 1, 'unit_price': Decimal('1'),
            'effective_date': TODAY}
        Move.do(Move.create([
            dict(base, product=numbers[0], uom=units[0], quantity=20.0,
                from_location=storage, to_location=bin_id),
            dict(base, product=numbers[1], uom=units[1], quantity=5000.0,
                from_location=other,
                to_location=customers),
            ]))
        transaction.commit()


def change(config):
    """A day of business: receipts, cancellations, deletions, changes."""
    Purchase, Sale, Product, Party = map(Model.get, [
        'purchase.purchase', 'sale.sale', 'product.product', 'party.party'])
    Move, Location = Model.get('stock.move'), Model.get('stock.location')
    customer, = Party.find([('name', '=', 'Customer')])
    warehouses = Location.find([('type', '=', 'warehouse')], order=[('id', 'ASC')])
    products = Product.find([('code', 'like', 'A-%')], order=[('id', 'ASC')])
    processing = Purchase.find([('state', '=', 'processing')], order=[('id', 'ASC')])
    open_ = [p for p in processing
        if all(l.quantity > 0 for l in p.lines)
        and any(m.state == 'draft' for m in p.moves)]
    # The rest of one, a part of another.
    click(receive(open_[0]), 'done')
    click(receive(open_[1], .3), 'done')
    # One is cancelled: its moves first, and then the exception is left as it is.
    for move in open_[2].moves:
        if move.state == 'draft':
            move.click('cancel')
    # One comes later, one brings more.
    for move in open_[3].moves:
        if move.state == 'draft':
            move.planned_date = TODAY + datetime.timedelta(days=77)
            move.save()
    buy(open_[4].party, warehouses[1], [(products[33], 48.0)], 0)
    # Drafts that never were orders, deleted.
    draft = Purchase(party=open_[5].party, warehouse=warehouses[0])
    line = draft.lines.new()
    line.product, line.quantity, line.unit_price = products[3], 5.0, Decimal('1')
    draft.save()
    draft.click('cancel')
    draft.delete()
    # Moves of an open order are deleted.
    gone = [m for m in open_[6].moves if m.state == 'draft'][:1]
    for move in gone:
        move.click('cancel')
        move.delete()
    # Deliveries today, and one that is booked for a day long past.
    ship(warehouses[0], customer, [(products[5], 4.0), (products[2], 1.0)], TODAY)
    ship(warehouses[2], customer, [(products[8], 2.0)], TODAY - datetime.timedelta(days=90))
    for sale in Sale.find([('state', '=', 'processing')])[:2]:
        for move in sale.moves:
            if move.state == 'draft' and not move.shipment:
                move.click('cancel')
    sell(customer, warehouses[1], [(products[40], 7.0)])
    # A product is retired, another one gets its code, and one that is sold and bought a new one.
    products[60].active = False
    products[60].save()
    Template = Model.get('product.template')
    template = Template(name='In its place', code=products[60].code, type='goods',
        default_uom=products[61].default_uom, list_price=Decimal('1'))
    template.products[0].cost_price = Decimal('1')
    template.save()
    template = products[2].template
    template.code = 'B-00003'
    template.save()
    ship(warehouses[0], customer, [(Product(products[2].id), 3.0)], TODAY)


def names_of(products):
    """What Restock calls products: by their code where it is theirs alone or they are still bought."""
    active = {p.code for p in products if p.active and p.template.active}
    last = {}
    for product in sorted(products, key=lambda p: p.id):
        last[product.code] = product.id
    names = {}
    for product in products:
        is_active = product.active and product.template.active
        is_own = is_active or (product.code not in active and last[product.code] == product.id)
        number = '#%d' % product.id
        names[product.id] = (number if not product.code
            else product.code if is_own else '%s (%s)' % (product.code, number))
    return names


#: In the unit of purchase.
QUANTITIES = [1, 10, 60, 100, 250]


def terms_of(products, names):
    """Supplier, lead time, rounding and prices of what is bought, as Tryton's own requests and purchases take them."""
    pool = Pool()
    Product, Request, Uom = map(pool.get, [
        'product.product', 'purchase.request', 'product.uom'])
    terms = {}
    for product in products:
        unit = product.purchase_uom
        if not (product.active and product.template.active and product.purchasable and unit):
            continue
        best = Request.find_best_product_supplier(product, datetime.date.max, company=1)
        if not best:
            continue
        prices = {}
        for quantity in QUANTITIES:
            if best.prices and quantity < min(price.quantity for price in best.prices):
                continue
            with Transaction().set_context(uom=unit.id, supplier=best.party.id, currency=1):
                price = Product.get_purchase_price([product], quantity)[product.id]
            base = Uom.compute_qty(unit, float(quantity), product.default_uom, round=False)
            prices[base] = float(price) * quantity / base
        terms[names[product.id]] = {
            'supplier': best.party.code, 'leadTimeDays': best.lead_time_used.days,
            'step': Uom.compute_qty(unit, unit.rounding, product.default_uom, round=False),
            'prices': sorted(prices.items())}
    return terms


def import_orders(config, file):
    """As "Import from CSV" of the client: the first row names the fields. Then a buyer quotes and confirms each purchase."""
    with open(file, newline='', encoding='utf-8') as lines:
        header, *rows = csv.reader(lines)
    with bulk(config) as transaction:
        count = Pool().get('purchase.purchase').import_data(header, rows)
        transaction.commit()
    Purchase = Model.get('purchase.purchase')
    purchases = Purchase.find([('reference', 'like', 'ho_%'), ('state', '=', 'draft')])
    for purchase in purchases:
        # This company keeps no accounts.
        purchase.invoice_method = 'manual'
        purchase.save()
        click(purchase, 'quote')
        click(purchase, 'confirm')
    return {'imported': count, 'lines': sum(len(each.lines) for each in purchases)}


def figures(config):
    """On hand, on order, demand and terms by SKU and warehouse, as Tryton computes them."""
    with bulk(config) as transaction:
        pool = Pool()
        Location, Move, Product = map(pool.get, [
            'stock.location', 'stock.move', 'product.product'])
        warehouses = Location.search([
            ('type', '=', 'warehouse'), ['OR', ('code', '!=', BRANCH), ('code', '=', None)]])
        customers = [l.id for l in Location.search([('type', '=', 'customer')])]
        with transaction.set_context(active_test=False):
            products = {p.id: p for p in Product.search([('type', '=', 'goods')])}
        codes = names_of(products.values())

        def quantities(warehouse, **context):
            with transaction.set_context(locations=[warehouse.id], with_childs=True, **context):
                found = Product.products_by_location(
                    [warehouse.id], with_childs=True)
                return {codes[key[1]]: quantity for key, quantity in found.items()
                    if quantity and key[1] in codes}
        on_hand, forecast, demand = {}, {}, {}
        for warehouse in warehouses:
            on_hand[warehouse.code] = quantities(warehouse, stock_date_end=TODAY)
            forecast[warehouse.code] = quantities(
                warehouse, forecast=True, stock_date_end=datetime.date.max)
            demand[warehouse.code] = {}
            for back in range(DAYS + 2, -1, -1):
                date = TODAY - datetime.timedelta(days=back)
                sold = quantities(warehouse, stock_date_start=date, stock_date_end=date,
                    stock_destinations=customers)
                if sold:
                    demand[warehouse.code][date.isoformat()] = {
                        sku: -quantity for sku, quantity in sold.items()}
        on_order = defaultdict(float)
        own = {warehouse.id for warehouse in warehouses}
        for move in Move.search([('state', 'in', ['draft', 'assigned']), ('company', '=', 1)]):
            to, from_ = move.to_location.warehouse, move.from_location.warehouse
            if to and to.id in own and to != from_ and move.product.id in codes:
                on_order[to.code, codes[move.product.id]] += move.internal_quantity
        return {
            'onHand': on_hand, 'forecast': forecast, 'demand': demand,
            'onOrder': [[*key, quantity] for key, quantity in sorted(on_order.items())],
            'terms': terms_of(products.values(), codes),
            'moves': Move.search([], count=True),
            }


if __name__ == '__main__':
    command, database, path, *files = sys.argv[1:]
    configuration = connect(database, path)
    if command == 'figures':
        print(json.dumps(figures(configuration)))
    elif command == 'import':
        print(json.dumps(import_orders(configuration, *files)))
    else:
        {'fill': fill, 'documents': add_documents, 'change': change}[command](configuration)
