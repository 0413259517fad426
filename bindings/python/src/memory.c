/* SPDX-License-Identifier: MIT */
/* Memory that a call filled, which NumPy views by the buffer protocol. */
#include "binding.h"

#include <stdlib.h>

struct memory {
    PyObject_HEAD void *bytes;
    size_t size;
};
PyTypeObject *memory_type;

static int get_buffer(PyObject *self, Py_buffer *view, int flags)
{
    const struct memory *memory = (struct memory *)self;
    return PyBuffer_FillInfo(view, self, memory->bytes, (Py_ssize_t)memory->size, 0, flags);
}

static void release(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    free(((struct memory *)self)->bytes);
    PyObject_Free(self);
    Py_DECREF(type);
}

void *elements(size_t n, size_t size)
{
    return n > PY_SSIZE_T_MAX / size ? NULL : malloc(n > 0 ? n * size : 1);
}

PyObject *memory_new(void *bytes, size_t size)
{
    if (!bytes)
        return PyErr_NoMemory();
    struct memory *memory = PyObject_New(struct memory, memory_type);
    if (!memory) {
        free(bytes);
        return NULL;
    }
    memory->bytes = bytes;
    memory->size = size;
    return (PyObject *)memory;
}

int memory_ready(void)
{
    static PyType_Slot slots[] = {{Py_tp_dealloc, (void *)release}, {Py_bf_getbuffer, (void *)get_buffer}, {0, NULL}};
    static PyType_Spec spec = {"abut._abut.Memory", sizeof(struct memory), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    memory_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return memory_type ? 0 : -1;
}
