/* SPDX-License-Identifier: MIT */
/* The module abut._abut: its functions, and the tables of shapes and predicates as Python sees them. */
#include "binding.h"

static PyObject *py_isa(PyObject *module, PyObject *none)
{
    (void)module;
    (void)none;
    return PyUnicode_FromString(abut_isa());
}

static PyObject *py_isas(PyObject *module, PyObject *none)
{
    (void)module;
    (void)none;
    PyObject *names = PyList_New(0);
    for (const char *const *isa = abut_isas(); names && *isa; isa++) {
        PyObject *name = PyUnicode_FromString(*isa);
        if (!name || PyList_Append(names, name) < 0)
            Py_CLEAR(names);
        Py_XDECREF(name);
    }
    return names;
}

static PyObject *py_use_isa(PyObject *module, PyObject *name)
{
    (void)module;
    PyObject *bytes = PyUnicode_AsUTF8String(name);
    const char *text = bytes ? PyBytes_AsString(bytes) : NULL;
    const enum abut_status status = text ? abut_use_isa(text) : ABUT_OK;
    Py_XDECREF(bytes);
    if (!text)
        return NULL;
    return status == ABUT_OK ? Py_BuildValue("") : raise_status(status, NULL, NULL);
}

static PyMethodDef methods[] = {{"isa", py_isa, METH_NOARGS, "The name of the active instruction set."},
                                {"isas", py_isas, METH_NOARGS, "Those that this machine runs, fastest first."},
                                {"use_isa", py_use_isa, METH_O, "Makes one active, by its name."},
                                {NULL, NULL, 0, NULL}};

/* (name, relation, kind of a, kind of b, function, search, search_swapped, self) of each predicate */
static PyObject *predicates(void)
{
    size_t n;
    const struct abut_predicate *table = abut_predicates(&n);
    PyObject *list = PyTuple_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++) {
        const struct abut_predicate *p = &table[i];
        PyObject *row = Py_BuildValue("(siiisOOO)", p->name, (int)p->relation, (int)p->a, (int)p->b, p->function,
                                      p->search ? Py_True : Py_False, p->search_swapped ? Py_True : Py_False,
                                      p->self ? Py_True : Py_False);
        if (!row || PyTuple_SetItem(list, (Py_ssize_t)i, row) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* (plural, names of fields) of each shape, by kind */
static PyObject *table_of_shapes(void)
{
    PyObject *list = PyTuple_New(SHAPES);
    for (unsigned i = 0; list && i < SHAPES; i++) {
        PyObject *fields = PyTuple_New((Py_ssize_t)shapes[i].fields);
        for (unsigned j = 0; fields && j < shapes[i].fields; j++)
            if (PyTuple_SetItem(fields, j, PyUnicode_FromString(shapes[i].field[j])) < 0)
                Py_CLEAR(fields);
        PyObject *row = fields ? Py_BuildValue("(sN)", shapes[i].plural, fields) : NULL;
        if (!row || PyTuple_SetItem(list, i, row) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* Takes the reference to value. */
static int add(PyObject *module, const char *name, PyObject *value)
{
    const int result = value ? PyModule_AddObjectRef(module, name, value) : -1;
    Py_XDECREF(value);
    return result;
}

/* The types are one for the process: what was made before the module is loaded once more stays of them. */
static int make_types(void)
{
    static bool made;
    if (!made)
        made =
            memory_ready() == 0 && batch_ready() == 0 && index_ready() == 0 && world_ready() == 0 && arrow_ready() == 0;
    return made ? 0 : -1;
}

/* Refuses other interpreters than the main one first: types that one of them makes end with it. */
static int execute(PyObject *module)
{
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
        PyErr_SetString(PyExc_ImportError, "abut works in Python's main interpreter alone, and this is a "
                                           "subinterpreter: use threads, which run side by side, or processes");
        return -1;
    }
    if (make_types() < 0)
        return -1;
    if (PyModule_AddFunctions(module, predicate_methods) < 0 || PyModule_AddFunctions(module, making_methods) < 0 ||
        PyModule_AddFunctions(module, arrow_methods) < 0)
        return -1;
    if (PyModule_AddObjectRef(module, "Batch", (PyObject *)batch_type) < 0 ||
        PyModule_AddObjectRef(module, "Index", (PyObject *)index_type) < 0 ||
        PyModule_AddObjectRef(module, "World", (PyObject *)world_type) < 0)
        return -1;
    if (add(module, "predicates", predicates()) < 0 || add(module, "shapes", table_of_shapes()) < 0)
        return -1;
    return PyModule_AddStringConstant(module, "version", abut_version());
}

PyMODINIT_FUNC PyInit__abut(void)
{
    static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)execute}, {0, NULL}};
    static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_abut", NULL, 0, methods, slots, NULL, NULL, NULL};
    return PyModuleDef_Init(&definition);
}
